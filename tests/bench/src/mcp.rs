//! A Model Context Protocol server over stdio: JSON-RPC, one message a line.

use crate::Result;
use crate::process::Process;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::process::Command;

/// A running server that has answered `initialize`.
pub struct Mcp {
    process: Process,
    next_id: u64,
}

impl Mcp {
    /// Starts `command`.
    ///
    /// # Errors
    /// It does not start or does not answer.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut server = Self { process: Process::start(command)?, next_id: 1 };
        let client = json!({ "name": "redline-bench", "version": "0" });
        let params =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        server.call("initialize", &params)?;
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    /// Calls a tool; its result.
    ///
    /// # Errors
    /// The server ended, or the tool failed.
    pub fn tool(&mut self, name: &str, arguments: &Value) -> Result<Value> {
        let result = self.call("tools/call", &json!({ "name": name, "arguments": arguments }))?;
        if result["isError"] == true {
            return Err(format!("the peer's {name}: {result}").into());
        }
        Ok(result)
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.next_id;
        self.next_id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request)?;
        loop {
            let mut line = String::new();
            if self.process.output.read_line(&mut line)? == 0 {
                return Err("the peer ended".into());
            }
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] == id && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => Err(format!("the peer answered {error}").into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.process.input.write_all(format!("{message}\n").as_bytes())?;
        Ok(self.process.input.flush()?)
    }
}
