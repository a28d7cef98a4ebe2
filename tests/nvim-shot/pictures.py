#!/usr/bin/env python3
"""Make the pictures of the READMEs: docs/images/neovim-{hunks,ask,rule,trust}{,-light}.png.

    NVIM_BIN=/path/to/nvim [REDLINE_BIN=/path/to/redline] pictures.py [FOLDER]

Without REDLINE_BIN the plugin's fake server plays the agent. Needs what nvim_shot.py needs.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLUGIN = ROOT / "editors" / "neovim"

CODE = """\
use std::collections::HashMap;

/// Remembers the answers of a slow function.
pub struct Cache<F> {
    slow: F,
    known: HashMap<String, u64>,
}

impl<F: Fn(&str) -> u64> Cache<F> {
    pub fn new(slow: F) -> Self {
        Cache { slow, known: HashMap::new() }
    }

    pub fn get(&mut self, key: &str) -> u64 {
        if self.known.contains_key(key) {
            return self.known[key];
        }
        let answer = (self.slow)(key);
        self.known.insert(key.to_string(), answer);
        answer
    }
}
"""

# (old, new) as an agent would send them
EDITS = [
    ("    known: HashMap<String, u64>,\n",
     "    known: HashMap<String, u64>,\n    hits: usize,\n"),
    ("        Cache { slow, known: HashMap::new() }\n",
     "        Cache { slow, known: HashMap::new(), hits: 0 }\n"),
    ("        if self.known.contains_key(key) {\n            return self.known[key];\n        }\n",
     "        if let Some(&answer) = self.known.get(key) {\n            self.hits += 1;\n"
     "            return answer;\n        }\n"),
    ("        answer\n    }\n}\n",
     "        answer\n    }\n\n    /// How many calls did not need the slow function.\n"
     "    pub fn hits(&self) -> usize {\n        self.hits\n    }\n}\n"),
]
COMMAND = "cargo test --package cache -- --nocapture"
PROMPT = "count the hits, then test"


def hunk(index, old, new):
    """The smallest run of whole lines that differs, as the server would send it."""
    first = CODE[:CODE.index(old)].count("\n")
    a, b = old.splitlines(True), new.splitlines(True)
    while a and b and a[0] == b[0]:
        a, b, first = a[1:], b[1:], first + 1
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return {
        "id": f"h{index}", "state": "pending", "mixed": False,
        "range": {"start": {"line": first, "character": 0},
                  "end": {"line": first + len(a), "character": 0}},
        "oldText": "".join(a), "newText": "".join(b),
        "origin": {"threadId": "t", "agent": "main", "tool": "edit_file", "toolCallId": f"c{index}"},
    }


def ask():
    return {
        "askId": "k", "title": "Run this command?", "tool": "Bash", "args": {"cmd": COMMAND},
        "cwd": str(Path.home() / "src" / "cache"), "pending": ["src/cache.rs"],
        "reason": {"action": "ask", "rule": "ask Bash", "source": "built-in", "line": 31,
                   "text": "No rule allows it: built-in rules, line 31, “ask Bash”."},
        "options": [
            {"id": "once", "label": "Allow once"},
            {"id": "session", "label": "Allow in this session", "covers": "Bash --cmd 'cargo test *'"},
            {"id": "reject", "label": "Reject"},
        ],
        "queue": {"index": 1, "total": 1},
    }


RULES = [("allow", "cargo *"), ("allow", "npm run *"), ("ask", "git push *")]
GRANT = f"allow Bash --cmd '{COMMAND}'"


def granting_ask():
    options = [("once", "Allow once"), ("session", "Allow for the session"),
               ("folder", "Always allow in this folder"), ("always", "Always allow everywhere"),
               ("reject", "Reject")]
    rules = {"session", "folder", "always"}
    options = [{"id": id, "label": label, **({"covers": GRANT} if id in rules else {})}
               for id, label in options]
    return {**ask(), "pending": [], "options": options}


def trust():
    lines = [f"  .redline/settings.json:{line}: {action} Bash --cmd '{cmd}'"
             for line, (action, cmd) in enumerate(RULES, 3) if action == "allow"]
    return {"trustId": "t", "folder": "/tmp/cache", "files": [".redline/settings.json"],
            "changed": False, "text": "\n".join(["This would count:", *lines])}


def settings():
    rules = [{"tool": "Bash", "action": action, "matches": {"cmd": cmd}} for action, cmd in RULES]
    rules = ",\n".join("    " + json.dumps(rule) for rule in rules)
    return '{\n  "redline.permissions": [\n' + rules + "\n  ]\n}\n"


def asking_scene():
    return {"on": {"redline/prompt": {"threadId": "t", "turnId": "u"}},
            "after": {"textDocument/didOpen": [{"id": "t", "method": "redline/trust", "params": trust()}],
                      "redline/prompt": [{"id": "s", "method": "redline/permission", "params": granting_ask()}]}}


def scene():
    review = {"uri": "${uri}", "revision": 1, "version": 0, "change": "modified",
              "hunks": [hunk(i, *edit) for i, edit in enumerate(EDITS)]}
    events = [
        {"method": "redline/review", "params": review},
        {"id": "s1", "method": "redline/permission", "params": ask()},
    ]
    end = {"method": "redline/threadEvent", "params": {
        "threadId": "t", "turnId": "u", "seq": 1,
        "event": {"type": "turnEnd", "reason": "awaitingReview"}}}
    return {"on": {"redline/prompt": {"threadId": "t", "turnId": "u"}},
            "after": {"redline/prompt": events, "s1": [end]}}


RUN = {"type": "tool_use", "id": "run", "name": "Bash", "input": {"cmd": COMMAND}}


def script(path):
    """The same as a recorded conversation for the real server."""
    calls = [{"type": "tool_use", "id": f"c{i}", "name": "edit_file",
              "input": {"path": path, "old_str": old, "new_str": new}}
             for i, (old, new) in enumerate(EDITS)]
    text = {"type": "text", "text": "I add a counter and run the tests."}
    turns = [{"content": [text, *calls]}, {"content": [RUN]}, {"content": [text]}]
    return "".join(json.dumps(turn) + "\n" for turn in turns)


def init_lua(server, settings, background):
    return f"""
vim.o.termguicolors = true
vim.o.background = '{background}'
vim.o.number = true
vim.o.signcolumn = 'yes'
vim.o.ruler = false
vim.o.showcmd = false
vim.o.swapfile = false
vim.o.statusline = " %f %m%=%{{v:lua.require'redline'.statusline()}} "
vim.opt.runtimepath:append('{PLUGIN}')
require('redline').setup {{ cmd = {{ {server} }}, settings = {settings} }}
vim.lsp.enable('redline')
"""


def project(folder):
    """The small project that the agent works on. Its path is in the pictures: a short one, if free."""
    root = Path("/tmp/cache") if not Path("/tmp/cache").exists() else folder / "cache"
    (root / "src").mkdir(parents=True)
    (root / ".redline").mkdir()
    (root / "src" / "cache.rs").write_text(CODE)
    return root


def setup(folder, background, played, fake):
    """An init.lua and what the server needs, the real one or the fake; environment for Neovim."""
    env = {}
    real = os.environ.get("REDLINE_BIN")
    if real:
        (folder / "script.jsonl").write_text(played)
        settings = f"{{ provider = 'script', script = '{folder}/script.jsonl' }}"
        server = f"'{real}', 'lsp'"
        env["REDLINE_STATE_DIR"] = env["REDLINE_CONFIG_DIR"] = str(folder / "state")
    else:
        (folder / "scene.json").write_text(json.dumps(fake))
        settings, server = "{}", f"'python3', '{PLUGIN}/tests/fake_server.py'"
        env["FAKE_SCENE"] = str(folder / "scene.json")
    (folder / "init.lua").write_text(init_lua(server, settings, background))
    return env


def picture(out, name, background):
    return out / f"neovim-{name}{'' if background == 'dark' else '-light'}.png"


def shoot_hunks(out, background):
    """Proposals, and an ask that has to do with them."""
    hunks, asked = (picture(out, name, background) for name in ("hunks", "ask"))
    keys = (f"<wait:use std>:Redline prompt {PROMPT}<CR><wait:Run|Allow>"
            f"<wait:1/4|hits: usize>:15<CR>:<Esc><wait:accept><shot:{asked}>"
            ":Redline permission<CR><sleep:0.5>r<gone:Reject><wait:to review><wait:accept>")
    shoot(hunks, keys, background, lambda root: script(str(root / "src" / "cache.rs")), scene())


def shoot_rule(out, background):
    """The folder's own rules, and a rule that is edited before it is saved."""
    rule, trusted = (picture(out, name, background) for name in ("rule", "trust"))
    keys = (f"<wait:use std><wait:Not now><shot:{trusted}>"
            ":Redline permission<CR><wait:leave it><sleep:0.5>n<gone:Not now>"
            ":Redline prompt run the tests<CR><wait:Allow once>"
            ":Redline permission<CR><wait:leave it><sleep:0.5>f<wait:save it>:<Esc>")
    played = json.dumps({"content": [RUN]}) + "\n"
    shoot(rule, keys, background, lambda _: played, asking_scene(), settings())


def shoot(last, keys, background, played, fake, own_settings=None):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        root = project(folder)
        if own_settings:
            (root / ".redline" / "settings.json").write_text(own_settings)
        env = setup(folder, background, played(root), fake)
        argv = [sys.executable, str(HERE / "nvim_shot.py"), "-o", str(last), "--size", "88x34", "--font-size", "18",
                "--light" if background == "light" else "--dark", "--cwd", str(root), "--keys", keys]
        for name, value in env.items():
            argv += ["--env", f"{name}={value}"]
        argv += ["--", "-i", "NONE", "-u", str(folder / "init.lua"), "src/cache.rs"]
        try:
            subprocess.run(argv, check=True)
        finally:
            shutil.rmtree(root)


def main():
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "images").resolve()
    out.mkdir(parents=True, exist_ok=True)
    for background in ("dark", "light"):
        shoot_hunks(out, background)
        shoot_rule(out, background)


main()
