//! The files and folders that a call names, and where they really are.

use std::path::{Path, PathBuf};

use redline_permissions::{ResolvedPath, shell};
use serde_json::Value;

use super::case::keys;
use crate::{
    Line, Resource, Scope, ToolDefinition, Tools,
    bound::{How, Place},
    bundle::{LocateError, Located},
    dialect,
};

impl Tools {
    /// The paths among the arguments, under the names that rules have for them, and all of their
    /// places.
    pub(super) fn paths(
        &self,
        scope: &Scope,
        tool: &ToolDefinition,
        args: &Value,
        roots: &[PathBuf],
    ) -> Result<(Vec<ResolvedPath>, Vec<Place>), LocateError> {
        let (mut paths, mut places) = (Vec::new(), Vec::new());
        for key in keys(tool, args) {
            let Resource::File { argument: arg, written } = key.key else { continue };
            let Located { file, in_bundle } = self.locate(scope, tool, &written)?;
            // The user has configured bundles to be read.
            let inside_workspace = in_bundle || file.is_inside(roots);
            let real = file.as_path().to_owned();
            let how = match (in_bundle, tool.spec.meta.links) {
                (true, _) => How::Bundle,
                (false, true) => How::Entry,
                (false, false) => How::Path,
            };
            let from = scope.cwd.clone();
            places.push(Place { written: written.clone(), from, how, real: real.clone() });
            let path = ResolvedPath { arg, written, real, inside_workspace };
            let ruled = dialect::ruled_name(&path.arg);
            if ruled != path.arg {
                paths.push(ResolvedPath { arg: ruled.to_owned(), ..path.clone() });
            }
            paths.push(path);
        }
        Ok((paths, places))
    }

    /// The files that a command writes by redirection, where they really are. A name that leads
    /// nowhere is left out.
    pub(super) fn written(&self, cmd: &str, cwd: &Path, roots: &[PathBuf]) -> Vec<ResolvedPath> {
        let real = |written: String| {
            let file = self.workspace.path(&written, cwd).ok()?;
            let (arg, real) = (String::new(), file.as_path().to_owned());
            Some(ResolvedPath { arg, written, real, inside_workspace: file.is_inside(roots) })
        };
        shell::read(cmd).writes.into_iter().filter_map(real).collect()
    }

    /// Where a command runs and what it writes.
    pub(super) fn line_places(&self, line: &Line, writes: &[ResolvedPath]) -> Vec<Place> {
        let place = |written: String, real: PathBuf| Place {
            written,
            from: line.cwd.clone(),
            how: How::Path,
            real,
        };
        let cwd = line.cwd.display().to_string();
        let folder = self.workspace.path(&cwd, &line.cwd).ok();
        let folder = folder.map(|found| place(cwd, found.as_path().to_owned()));
        let files = writes.iter().map(|file| place(file.written.clone(), file.real.clone()));
        folder.into_iter().chain(files).collect()
    }
}
