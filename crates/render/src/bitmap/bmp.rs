//! Repairs the headers and the length of a damaged BMP.

/// Length of the file header; the offset of the pixels is its last field.
const FILE_HEADER: usize = 14;

/// The picture with its headers repaired; `None` if that is impossible.
pub(super) fn repaired(bytes: &[u8], most_pixels: u64) -> Option<Vec<u8>> {
    let mut file = bytes.to_vec();
    let header = u32_at(&file, FILE_HEADER)? as usize;
    // Twelve bytes were enough for OS/2, with numbers half as wide.
    let is_old = header == 12;
    let (width, height) = match is_old {
        true => (u64::from(u16_at(&file, 18)?), u64::from(u16_at(&file, 20)?)),
        false => {
            let side = |at| Some(u64::from((u32_at(&file, at)? as i32).unsigned_abs()));
            (side(18)?, side(22)?)
        }
    };
    if width == 0 || height == 0 || width.checked_mul(height)? > most_pixels {
        return None;
    }
    let planes_at = if is_old { 22 } else { 26 };
    let depth = u64::from(u16_at(&file, planes_at + 2)?);
    if !matches!(depth, 1 | 2 | 4 | 8 | 16 | 24 | 32) {
        return None;
    }
    file.get_mut(planes_at..planes_at + 2)?.copy_from_slice(&1_u16.to_le_bytes());
    let mut compression = 0;
    if !is_old {
        compression = u32_at(&file, 30)?;
        let most = if depth <= 8 { 1_u32 << depth } else { 0 };
        let n_colours = u32_at(&file, 46)?;
        if n_colours > most {
            file.get_mut(46..50)?.copy_from_slice(&most.to_le_bytes());
        }
    }
    let pixels = repaired_offset(&mut file, header, depth, is_old)?;
    // Packed pixels say themselves where they end: an end is all that can be added.
    let missing = match compression {
        1 | 2 => None,
        _ => {
            let row = (width * depth).div_ceil(32) * 4;
            let end = pixels as u64 + row * height;
            Some(usize::try_from(end).ok()?)
        }
    };
    match missing {
        Some(end) if file.len() < end => file.resize(end, 0),
        Some(_) => {}
        None => file.extend([0, 0, 0, 1]),
    }
    Some(file)
}

/// The offset of the pixels; repaired if it is inside the headers or beyond the file.
fn repaired_offset(file: &mut [u8], header: usize, depth: u64, is_old: bool) -> Option<usize> {
    let pixels = u32_at(file, 10)? as usize;
    let entry = if is_old { 3 } else { 4 };
    let n_colours = match depth {
        1..=8 if is_old => 1_usize << depth,
        1..=8 => match u32_at(file, 46)? as usize {
            0 => 1 << depth,
            it => it,
        },
        _ => 0,
    };
    let expected = FILE_HEADER.checked_add(header)?.checked_add(n_colours * entry)?;
    if (FILE_HEADER + header.min(file.len())..=file.len()).contains(&pixels) {
        return Some(pixels);
    }
    if expected > file.len() {
        return None;
    }
    file.get_mut(10..14)?.copy_from_slice(&(expected as u32).to_le_bytes());
    Some(expected)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
