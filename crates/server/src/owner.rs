//! The key of the person at the machine: whoever holds it may change settings and games.
//!
//! It is printed with the address, after a `#`, so that it is in no request, no log and no
//! `Referer`. The page keeps it in the storage of the browser and sends it in a header. A
//! cookie would be sent to every server on the same host whatever its port, and by the forms
//! and pictures of other sites; a header is only sent by our own page.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use axum::http::{HeaderMap, HeaderName};

use crate::keys;

/// The file in the data folder that holds the key.
const FILE: &str = "owner.key";
/// The header that carries the key.
const HEADER: HeaderName = HeaderName::from_static("x-boardwright-key");

/// Reads the key of a data folder; a folder without one gets one, which only its user can read.
pub fn owner_key(data: &Path) -> io::Result<String> {
    let path = data.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) if text.trim().len() >= keys::key_len() => return Ok(text.trim().to_owned()),
        // A crash while it was written, perhaps; nobody has seen such a key.
        Ok(_) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => return Err(cause),
    }
    let key = keys::key();
    let beside = data.join(format!("{FILE}.new"));
    // One that a crash left behind may be readable by others.
    match fs::remove_file(&beside) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(cause),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    writeln!(file, "{key}")?;
    file.sync_all()?;
    fs::rename(&beside, &path)?;
    Ok(key)
}

/// Whether a request carries this key.
pub(crate) fn has_key(headers: &HeaderMap, key: &str) -> bool {
    let sent = headers.get(HEADER).and_then(|it| it.to_str().ok());
    sent.is_some_and(|it| keys::is_same(it, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_its_key_and_nobody_else_can_read_it() {
        let data = tempfile::tempdir().expect("a folder");
        let key = owner_key(data.path()).expect("a key");
        assert_eq!(key.len(), 26);
        assert_eq!(owner_key(data.path()).expect("a key"), key);
        let path = data.path().join(FILE);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::write(&path, "short").expect("written");
        let other = owner_key(data.path()).expect("a key");
        assert!(other.len() == 26 && other != key);
    }
}
