//! Why a server cannot start or continue.

use std::{
    error::Error,
    fmt, io,
    net::IpAddr,
    path::{Path, PathBuf},
};

use boardwright_store::StoreError;

/// Why a server cannot start or continue.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The data folder cannot be created or locked.
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// Another server uses the data folder.
    InUse {
        /// The folder.
        path: PathBuf,
        /// The id of its process, where that can be read.
        process: Option<u32>,
    },
    /// The database in the data folder cannot be opened or read.
    Data {
        /// The folder.
        path: PathBuf,
        /// What the database says.
        cause: Box<dyn Error + Send + Sync>,
        /// What helps.
        hint: Option<&'static str>,
    },
    /// The port cannot be listened at.
    Listen {
        /// The address.
        host: IpAddr,
        /// The port, if one was given.
        port: Option<u16>,
        /// What the system says.
        cause: io::Error,
    },
    /// The network failed while the server was running.
    Network(io::Error),
}

impl ServeError {
    pub(crate) fn data(path: &Path, cause: StoreError) -> ServeError {
        let hint = cause.hint();
        ServeError::Data { path: path.to_owned(), cause: Box::new(cause), hint }
    }

    /// What somebody at the machine can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ServeError::Data { hint, .. } => *hint,
            ServeError::InUse { .. } => {
                Some("Play there, end that server, or name another folder with --data.")
            }
            ServeError::Folder { .. } | ServeError::Listen { .. } | ServeError::Network(_) => None,
        }
    }
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Folder { path, .. } => {
                write!(f, "cannot create or lock the data folder {}", path.display())
            }
            ServeError::InUse { path, process: Some(process) } => write!(
                f,
                "the data folder {} is in use by another server of Boardwright, process {process}",
                path.display()
            ),
            ServeError::InUse { path, process: None } => write!(
                f,
                "the data folder {} is in use by another server of Boardwright",
                path.display()
            ),
            ServeError::Data { path, .. } => {
                write!(f, "cannot open the database in {}", path.display())
            }
            ServeError::Listen { host, port: Some(port), .. } => {
                write!(f, "cannot listen at port {port} of {host}")
            }
            ServeError::Listen { host, port: None, .. } => {
                write!(f, "cannot listen at any port of {host}")
            }
            ServeError::Network(_) => f.write_str("the network failed"),
        }
    }
}

impl Error for ServeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ServeError::Folder { cause, .. }
            | ServeError::Listen { cause, .. }
            | ServeError::Network(cause) => Some(cause),
            ServeError::Data { cause, .. } => Some(&**cause),
            ServeError::InUse { .. } => None,
        }
    }
}
