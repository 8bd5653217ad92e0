//! Files that users give, read as a whole, up to a limit; devices are refused, since they may have no end.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The bytes of a file, or the reason why it cannot be read.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let kind = fs::metadata(path).map_err(|error| error.to_string())?.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        return Err("it is a device".to_string());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most {
        return Err("it is too large".to_string());
    }
    Ok(bytes)
}

/// The same as text.
pub fn text(path: &Path, most: u64) -> Result<String, String> {
    String::from_utf8(bytes(path, most)?).map_err(|_| "it is not UTF-8 text".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "four").unwrap();
        assert_eq!(text(&path, 4).as_deref(), Ok("four"));
        assert_eq!(text(&path, 3).unwrap_err(), "it is too large");
        assert_eq!(bytes(Path::new("/dev/zero"), 3).unwrap_err(), "it is a device");
        assert!(bytes(folder.path(), 3).is_err() && bytes(&folder.path().join("b"), 3).is_err());
    }
}
