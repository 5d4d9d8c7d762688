//! What is given to the program.

/// How an input is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A rule file, the first of the files.
    Rules,
    /// The folder of a preset.
    Preset,
    /// A record that contains its preset, the first of the files, beside the preset.
    Record,
    /// A saved game and its rule file, in this order.
    Save,
    /// A rule file, the first of the files, with pictures.
    Pictures,
}

/// One hostile input.
pub(crate) struct Input {
    pub kind: Kind,
    /// What is hostile about it; no two have the same.
    pub name: String,
    /// Names and contents of its files.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Input {
    pub fn new<F: Into<Vec<u8>>>(
        kind: Kind,
        name: impl Into<String>,
        files: impl IntoIterator<Item = (&'static str, F)>,
    ) -> Input {
        let files = files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes.into()));
        Input { kind, name: name.into(), files: files.collect() }
    }
}
