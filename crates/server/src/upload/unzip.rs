//! Unpacks zip files within bounds.

use std::io::{Cursor, Read};

use super::{MAX_FILES, Parcel, too_large};
use crate::{error::ApiError, work};

/// Unpacked bytes for each packed byte. Pictures of one colour reach a few hundred; more
/// is taken for an attack.
const MAX_RATIO: u64 = 400;
/// Files up to this size may have any ratio.
const SMALL: u64 = 1 << 20;

/// Adds the files of a zip to a parcel. The sizes that it states are not trusted, and every byte
/// that is unpacked counts, whatever becomes of it.
pub(super) fn unzip(bytes: &[u8], parcel: &mut Parcel) -> Result<(), ApiError> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))
        .inspect_err(|cause| tracing::debug!(%cause, "a zip file could not be opened"))
        .map_err(|_| ApiError::bad("the zip file is damaged"))?;
    if archive.len() > MAX_FILES {
        return Err(too_large(format!("an upload may have at most {MAX_FILES} files")));
    }
    // Many files that share their packed bytes are much work from a small zip.
    let overlaps = archive.has_overlapping_entries();
    if overlaps.map_err(|_| ApiError::bad("the zip file is damaged"))? {
        return Err(ApiError::bad(
            "the files of the zip overlap, as no packing program makes them",
        ));
    }
    for idx in 0..archive.len() {
        if work::is_told_to_stop() {
            return Err(too_large("the zip file takes too long to unpack".to_owned()));
        }
        let entry = match archive.by_index(idx) {
            Ok(it) => it,
            Err(cause) => {
                tracing::debug!(%cause, "a file of a zip could not be opened");
                parcel.skip(&format!("entry {}", idx + 1), "its way of packing is not supported");
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let name = entry.name().map(|it| it.into_owned());
        let name = name.unwrap_or_else(|_| String::from_utf8_lossy(entry.name_raw()).into_owned());
        if !parcel.wants(&name)? {
            continue;
        }
        let packed = entry.compressed_size().min(bytes.len() as u64).max(1);
        let limit = (packed * MAX_RATIO).max(SMALL).min(parcel.room() as u64);
        let mut unpacked = Vec::new();
        let read = entry.take(limit + 1).read_to_end(&mut unpacked);
        if unpacked.len() as u64 > limit {
            return Err(too_large(
                "the zip file unpacks to far more than its size allows".to_owned(),
            ));
        }
        match read {
            Ok(_) => parcel.add(&name, unpacked)?,
            Err(cause) => {
                tracing::debug!(%cause, "a file of a zip could not be unpacked");
                parcel.spend(unpacked.len());
                parcel.skip(&name, "it is damaged");
            }
        }
    }
    Ok(())
}
