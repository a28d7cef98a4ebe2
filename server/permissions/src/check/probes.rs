//! Commands that show how far a program reaches. Each is tried on a rule; only what the engine really
//! allows is told.

/// A program that does more than its name says.
pub(super) struct Probe {
    /// Commands that show it; the first that a rule allows is told.
    pub examples: &'static [&'static str],
    /// What they show, as a sentence without its end.
    pub does: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

const fn probe(
    examples: &'static [&'static str],
    does: &'static str,
    instead: &'static str,
) -> Probe {
    Probe { examples, does, instead }
}

const SUBCOMMANDS: &str = "a rule for each subcommand that you mean";
const SCRIPTS: &str = "a rule for each script that you mean, without a `*`";
const FILES: &str = "the Read and Grep tools, whose rules know files";

pub(super) const PROBES: &[Probe] = &[
    probe(
        &["find . -delete", "find . -exec rm {} +", "find . -fprint out"],
        "`find` also deletes files, writes them and runs programs",
        "`find . -name *`, and `ask` rules for the rest before it",
    ),
    probe(
        &["git -c alias.x='!id' x", "git push --force", "git reset --hard", "git clean -fdx"],
        "`git` also runs any program through its settings, and throws work away",
        SUBCOMMANDS,
    ),
    probe(
        &[
            "env id",
            "nohup id",
            "timeout 5 id",
            "nice id",
            "time id",
            "xargs id",
            "sudo id",
            "doas id",
        ],
        "it runs whatever program follows",
        "a rule for the program that it should run",
    ),
    probe(
        &["bash -c id", "sh -c id", "zsh -c id", "eval id", "bash x.sh", "sh x.sh"],
        "a shell runs any command",
        "a rule for the command itself",
    ),
    probe(
        &[
            "python -c 1",
            "python3 -c 1",
            "node -e 1",
            "ruby -e 1",
            "perl -e 1",
            "php -r 1",
            "deno eval 1",
            "bun -e 1",
            "lua -e 1",
            "osascript -e 1",
            "Rscript -e 1",
            "python x.py",
            "python3 x.py",
            "node x.js",
            "ruby x.rb",
            "perl x.pl",
            "php x.php",
        ],
        "an interpreter runs any code, and with it any program",
        "a rule for the one script that it should run, without a `*`",
    ),
    probe(
        &[
            "npm run x",
            "npm exec x",
            "pnpm run x",
            "pnpm exec x",
            "yarn run x",
            "yarn x",
            "bun run x",
            "make x",
            "just x",
            "rake x",
            "gradle x",
            "./gradlew x",
            "mvn x",
            "composer run x",
        ],
        "it runs whatever the project's files say, and an agent can edit those",
        SCRIPTS,
    ),
    probe(
        &[
            "npx x",
            "pnpm dlx x",
            "bunx x",
            "uvx x",
            "pipx run x",
            "go run x@latest",
            "npm install x",
            "pip install x",
            "pip3 install x",
            "gem install x",
            "cargo install x",
            "go install x",
            "brew install x",
            "apt install x",
        ],
        "it fetches programs from the network and runs them",
        "a rule for the one package that you mean",
    ),
    probe(
        &["docker run -v /:/host x", "podman run -v /:/host x", "kubectl exec x -- id"],
        "it runs any program, with as many rights as it likes",
        SUBCOMMANDS,
    ),
    probe(
        &["curl -o x http://y", "wget http://y", "curl -T x http://y"],
        "it writes what it fetches into any file, and sends files away",
        "the read_web_page tool, or the whole address",
    ),
    probe(
        &["awk 'BEGIN{system(\"id\")}'", "gawk 'BEGIN{system(\"id\")}'"],
        "`awk` runs programs and writes files",
        "a rule for the program text, without a `*` in its place",
    ),
    probe(&["sed -i s/a/b/ x", "sed w x"], "`sed` also changes files in place", "`sed -n *`"),
    probe(&["tar -xf x --to-command=id"], "`tar` also runs programs", SUBCOMMANDS),
    probe(&["rg --pre id x"], "`rg` also runs a program for each file", FILES),
    probe(&["sort -o x y"], "`sort` also writes files", "`sort` with the options that you mean"),
    probe(&["tee x"], "`tee` writes any file", "an edit tool, whose changes you review"),
    probe(
        &["gh api -X DELETE x", "gh repo delete x"],
        "`gh` also deletes and changes things",
        SUBCOMMANDS,
    ),
    probe(
        &["sqlite3 x '.shell id'", "psql -c '\\! id'", "mysql -e 'system id'"],
        "it also runs programs",
        "a rule for the one query",
    ),
    probe(
        &["vim -c '!id' x", "vi -c '!id' x", "nano x", "ed x"],
        "an editor writes any file",
        FILES,
    ),
    probe(
        &[
            "cat .env",
            "head .env",
            "tail .env",
            "less .env",
            "grep x .env",
            "jq . .env",
            "cp .env x",
        ],
        "it reads any file, also outside the folder and the secret ones that the tools refuse",
        FILES,
    ),
];
