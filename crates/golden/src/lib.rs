//! Golden sets: files of expected results in the repository, which tests compare with what the
//! program does now.
//!
//! Each set is blessed by its own name: with `BLESS_LAYOUTS=1` in the environment the test of
//! the layouts writes its files instead of comparing them, and no other test does. Read the
//! difference before you commit it. `CONTRIBUTING.md` lists all sets.

use std::{env, fs, path::Path};

/// A golden set: a name, and the test that compares it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Golden {
    /// The environment variable that makes the test write the files.
    pub variable: &'static str,
    /// The files, relative to the root of the project.
    pub files: &'static str,
    /// The arguments of `cargo test` that run only the test of this set.
    pub test: &'static str,
}

/// Seeded games, one for each rule file.
pub const PLAYTHROUGHS: Golden = Golden {
    variable: "BLESS_PLAYTHROUGHS",
    files: "tests/playthroughs",
    test: "-p boardwright-test-kit --test playthroughs",
};

/// The number of operations in the fast form of each game.
pub const FAST_OPERATIONS: Golden = Golden {
    variable: "BLESS_FAST_OPERATIONS",
    files: "tests/fast-operations.txt",
    test: "-p boardwright-test-kit --test fast",
};

/// What the compiler says about which line of the annotated rule files.
pub const SUITE: Golden = Golden {
    variable: "BLESS_SUITE",
    files: "tests/suite",
    test: "-p boardwright-zrf --test suite",
};

/// Best move, score, depth and nodes of searches with a fixed number of nodes.
pub const SIGNATURE: Golden = Golden {
    variable: "BLESS_SIGNATURE",
    files: "tests/engine/signature.txt",
    test: "-p boardwright-engine --test signature",
};

/// The kind of board that each game is recognised as.
pub const LAYOUTS: Golden = Golden {
    variable: "BLESS_LAYOUTS",
    files: "crates/render/tests/layouts.txt",
    test: "-p boardwright-render --test layouts",
};

/// Pictures of boards in every format.
pub const PICTURES: Golden = Golden {
    variable: "BLESS_PICTURES",
    files: "crates/picture/tests/references",
    test: "-p boardwright-picture --test references",
};

/// The colours of themes and tokens as a style sheet for pages.
pub const THEMES: Golden = Golden {
    variable: "BLESS_THEMES",
    files: "web/app/src/styles/colours.css",
    test: "-p boardwright-render --test themes",
};

/// The types of the wire as TypeScript.
pub const PROTOCOL: Golden = Golden {
    variable: "BLESS_PROTOCOL",
    files: "web/protocol/index.ts",
    test: "-p boardwright-protocol",
};

/// Licences and notices of everything in the program.
pub const LICENSES: Golden = Golden {
    variable: "BLESS_LICENSES",
    files: "crates/cli/licenses.txt",
    test: "-p xtask --test licenses",
};

/// All golden sets.
pub const ALL: &[Golden] = &[
    PLAYTHROUGHS,
    FAST_OPERATIONS,
    SUITE,
    SIGNATURE,
    LAYOUTS,
    PICTURES,
    THEMES,
    PROTOCOL,
    LICENSES,
];

impl Golden {
    /// Whether the test shall write the files instead of comparing them.
    #[must_use]
    pub fn is_blessed(&self) -> bool {
        env::var_os(self.variable).is_some()
    }

    /// The command that writes the files, for the message of a test that fails.
    #[must_use]
    pub fn command(&self) -> String {
        format!("{}=1 cargo test {}", self.variable, self.test)
    }

    /// Compares a file with the bytes that it should have, or writes it if the set is blessed.
    ///
    /// # Errors
    ///
    /// The first line that differs and the command that accepts the difference; or that the file
    /// cannot be written.
    pub fn compare(&self, path: &Path, actual: &str) -> Result<(), String> {
        if self.is_blessed() {
            return fs::write(path, actual).map_err(|it| format!("{}: {it}", path.display()));
        }
        let expected = fs::read_to_string(path).unwrap_or_default();
        if expected == actual {
            return Ok(());
        }
        let n_same = expected.lines().zip(actual.lines()).take_while(|(a, b)| a == b).count();
        let line = |text: &str| text.lines().nth(n_same).unwrap_or("(end of the file)").to_owned();
        Err(format!(
            "{}:{}: expected `{}`, found `{}`\nto accept it: {}",
            path.display(),
            n_same + 1,
            line(&expected),
            line(actual),
            self.command()
        ))
    }
}
