//! The stamp of a plugin library: a few bytes under a known symbol that say for which API version it was built.
//! It is plain data, so that the host reads it from the file before any code of the library runs.

use crate::descriptor::{API_VERSION, ApiVersion};

/// The symbol under which a plugin library exports its stamp.
pub const STAMP_SYMBOL: &str = "TANDEM_PLUGIN_STAMP";

const MAGIC: [u8; 12] = *b"tandemplugin";

/// Magic bytes, then major and minor version, both little-endian.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp([u8; Stamp::SIZE]);

/// The stamp of libraries that are built against this crate.
pub const STAMP: Stamp = Stamp::new(API_VERSION);

/// Why the bytes under the stamp's symbol do not let the library in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StampProblem {
    /// No stamp at all.
    NotAStamp,
    /// Built for an API that this host does not speak.
    Incompatible(ApiVersion),
}

impl Stamp {
    pub const SIZE: usize = 16;

    pub const fn new(version: ApiVersion) -> Self {
        let mut bytes = [0; Stamp::SIZE];
        let mut index = 0;
        while index < MAGIC.len() {
            bytes[index] = MAGIC[index];
            index += 1;
        }
        let (major, minor) = (version.major.to_le_bytes(), version.minor.to_le_bytes());
        bytes[12] = major[0];
        bytes[13] = major[1];
        bytes[14] = minor[0];
        bytes[15] = minor[1];
        Stamp(bytes)
    }

    pub fn bytes(&self) -> &[u8; Stamp::SIZE] {
        &self.0
    }

    /// The version that the bytes state, if this host can work with it.
    pub fn check(bytes: &[u8]) -> Result<ApiVersion, StampProblem> {
        let Some((magic, rest)) = bytes.split_at_checked(MAGIC.len()) else { return Err(StampProblem::NotAStamp) };
        let &[a, b, c, d] = rest else { return Err(StampProblem::NotAStamp) };
        if magic != MAGIC {
            return Err(StampProblem::NotAStamp);
        }
        let version = ApiVersion { major: u16::from_le_bytes([a, b]), minor: u16::from_le_bytes([c, d]) };
        if version.major != API_VERSION.major || version.minor > API_VERSION.minor {
            return Err(StampProblem::Incompatible(version));
        }
        Ok(version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_say_their_version() {
        assert_eq!(Stamp::check(STAMP.bytes()), Ok(API_VERSION));
        let newer = ApiVersion { major: API_VERSION.major, minor: API_VERSION.minor + 1 };
        assert_eq!(Stamp::check(Stamp::new(newer).bytes()), Err(StampProblem::Incompatible(newer)));
        let other = ApiVersion { major: API_VERSION.major + 1, minor: 0 };
        assert_eq!(Stamp::check(Stamp::new(other).bytes()), Err(StampProblem::Incompatible(other)));
    }

    #[test]
    fn other_bytes_are_no_stamps() {
        assert_eq!(Stamp::check(b""), Err(StampProblem::NotAStamp));
        assert_eq!(Stamp::check(b"tandemplugin123"), Err(StampProblem::NotAStamp));
        assert_eq!(Stamp::check(b"pandemplugin1234"), Err(StampProblem::NotAStamp));
    }
}
