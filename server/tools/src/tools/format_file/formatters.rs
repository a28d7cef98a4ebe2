//! The formatters that are known, as data. Adding one is adding a row.

/// A program that reads a text and prints it formatted.
#[derive(Debug)]
pub(super) struct Formatter {
    /// The program's name.
    pub name: &'static str,
    /// Of the files that it formats, in lower case.
    pub extensions: &'static [&'static str],
    /// What says that a project uses it, in the file's folder or above. None: it is the one
    /// formatter of its language, used wherever no mark says otherwise.
    pub marks: &'static [Mark],
    /// What it is started with.
    pub args: &'static [Arg],
    /// Where it is started.
    pub start: Start,
    /// Its configuration is code, or names code, of the project.
    pub loads_code: bool,
}

/// What says that a project uses a formatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A file of this name.
    File(&'static str),
    /// A file of this name with this text in it.
    Part(&'static str, &'static str),
}

/// An argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arg {
    /// As it is.
    Is(&'static str),
    /// The file's path, behind these chars.
    File(&'static str),
    /// The file's extension.
    Extension,
    /// `--edition` and Cargo's edition of the file.
    Edition,
    /// This argument and the folder of the first of these files, if there is one.
    FolderOf(&'static str, &'static [&'static str]),
}

/// The directory that a formatter is started in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Of the mark: its configuration is looked for from there.
    Project,
    /// None of the project's: it finds its configuration by the file's path, and what starts it
    /// must find nothing (a `rust-toolchain.toml` can name a compiler of the repository).
    Elsewhere,
}

use Arg::{Edition, Extension, FolderOf, Is};
use Mark::{File, Part};

const RUSTFMT_FILES: [&str; 2] = ["rustfmt.toml", ".rustfmt.toml"];

/// Where a project has programs of its own.
pub(super) const PROJECT_BINS: [&str; 3] = ["node_modules/.bin", ".venv/bin", "venv/bin"];

/// In the order in which they are preferred where the marks of two are equally near.
pub(super) const FORMATTERS: [Formatter; 18] = [
    Formatter {
        name: "rustfmt",
        extensions: &["rs"],
        marks: &[],
        args: &[Edition, FolderOf("--config-path", &RUSTFMT_FILES)],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "biome",
        extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "css"],
        marks: &[File("biome.json"), File("biome.jsonc")],
        args: &[Is("format"), Arg::File("--stdin-file-path=")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "deno",
        extensions: &["js", "jsx", "mjs", "ts", "tsx", "mts", "json", "jsonc", "md"],
        marks: &[File("deno.json"), File("deno.jsonc")],
        args: &[Is("fmt"), Is("--ext"), Extension, Is("-")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "prettier",
        extensions: &[
            "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "json5", "css",
            "scss", "less", "html", "vue", "svelte", "astro", "md", "mdx", "yaml", "yml",
            "graphql", "gql", "hbs",
        ],
        marks: &[
            File(".prettierrc"),
            File(".prettierrc.json"),
            File(".prettierrc.json5"),
            File(".prettierrc.yaml"),
            File(".prettierrc.yml"),
            File(".prettierrc.toml"),
            File(".prettierrc.js"),
            File(".prettierrc.cjs"),
            File(".prettierrc.mjs"),
            File(".prettierrc.ts"),
            File("prettier.config.js"),
            File("prettier.config.cjs"),
            File("prettier.config.mjs"),
            File("prettier.config.ts"),
            Part("package.json", "\"prettier\""),
        ],
        args: &[Arg::File("--stdin-filepath=")],
        start: Start::Project,
        loads_code: true,
    },
    Formatter {
        name: "ruff",
        extensions: &["py", "pyi", "ipynb"],
        marks: &[File("ruff.toml"), File(".ruff.toml"), Part("pyproject.toml", "[tool.ruff")],
        args: &[Is("format"), Is("--no-cache"), Is("--stdin-filename"), Arg::File(""), Is("-")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "black",
        extensions: &["py", "pyi"],
        marks: &[Part("pyproject.toml", "[tool.black]")],
        args: &[Is("--quiet"), Is("--stdin-filename"), Arg::File(""), Is("-")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "gofmt",
        extensions: &["go"],
        marks: &[],
        args: &[],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "stylua",
        extensions: &["lua", "luau"],
        marks: &[File("stylua.toml"), File(".stylua.toml")],
        args: &[Is("--search-parent-directories"), Is("--stdin-filepath"), Arg::File(""), Is("-")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "clang-format",
        extensions: &[
            "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "proto", "java", "cs",
        ],
        marks: &[File(".clang-format"), File("_clang-format")],
        args: &[Is("--style=file"), Arg::File("--assume-filename=")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "shfmt",
        extensions: &["sh", "bash"],
        marks: &[File(".editorconfig")],
        args: &[Arg::File("-filename=")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "taplo",
        extensions: &["toml"],
        marks: &[File("taplo.toml"), File(".taplo.toml")],
        args: &[Is("fmt"), Is("--stdin-filepath"), Arg::File(""), Is("-")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "terraform",
        extensions: &["tf", "tfvars"],
        marks: &[],
        args: &[Is("fmt"), Is("-")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "zig",
        extensions: &["zig"],
        marks: &[],
        args: &[Is("fmt"), Is("--stdin")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "gleam",
        extensions: &["gleam"],
        marks: &[],
        args: &[Is("format"), Is("--stdin")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "elm-format",
        extensions: &["elm"],
        marks: &[],
        args: &[Is("--stdin")],
        start: Start::Elsewhere,
        loads_code: false,
    },
    Formatter {
        name: "ocamlformat",
        extensions: &["ml", "mli"],
        marks: &[File(".ocamlformat")],
        args: &[Is("--name"), Arg::File(""), Is("-")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "swiftformat",
        extensions: &["swift"],
        marks: &[File(".swiftformat")],
        args: &[Is("stdin"), Is("--stdinpath"), Arg::File("")],
        start: Start::Project,
        loads_code: false,
    },
    Formatter {
        name: "mix",
        extensions: &["ex", "exs"],
        marks: &[File(".formatter.exs")],
        args: &[Is("format"), Is("--stdin-filename"), Arg::File(""), Is("-")],
        start: Start::Project,
        loads_code: true,
    },
];
