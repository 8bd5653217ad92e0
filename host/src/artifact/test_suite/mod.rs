//! Test suites of Test-Comp: a directory or a zip file with `metadata.xml` and test cases, in any folders.
//! Format: <https://gitlab.com/sosy-lab/software/test-format>; its reference reader is TestCov.

mod files;
mod xml;

pub use files::{clear, read, write_directory, write_zip, written_files};
pub use xml::{parse_test, write_test};

use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::time::{SystemTime, UNIX_EPOCH};
use tandem_plugin_api::artifact::{TestCase, TestSuite};
use tandem_plugin_api::program::{DataModel, Program};

/// The metadata of a suite. Texts are kept as they stand in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub language: String,
    pub producer: String,
    pub specification: String,
    pub program_file: String,
    /// SHA-256 in current tools, SHA-1 in older ones: 64 or 40 hexadecimal digits.
    pub program_hash: String,
    pub entry_function: String,
    /// `32bit` or `64bit`.
    pub architecture: String,
    /// ISO 8601.
    pub creation_time: String,
    /// File and hash of the suite that this one was made from.
    pub input_suite: Option<(String, String)>,
}

impl Metadata {
    /// For a suite that this version of tandem makes now.
    pub fn of(program: &Program, specification: &str) -> Self {
        Metadata {
            language: "C".to_string(),
            producer: format!("tandem {}", env!("CARGO_PKG_VERSION")),
            specification: specification.trim().to_string(),
            program_file: program.name.clone(),
            program_hash: program.source_sha256.clone(),
            entry_function: program.function(program.main).name.clone(),
            architecture: architecture(program.types.model).to_string(),
            creation_time: iso_8601(now()),
            input_suite: None,
        }
    }

    /// The data model that the tests were made for, where the architecture names one.
    pub fn data_model(&self) -> Option<DataModel> {
        [DataModel::Ilp32, DataModel::Lp64].into_iter().find(|&model| self.architecture.trim() == architecture(model))
    }

    /// Whether the hash is that of a program with this text; `None` if the hash is of no known kind.
    pub fn is_about(&self, program_text: &[u8]) -> Option<bool> {
        let given = self.program_hash.trim().to_ascii_lowercase();
        let is_hash = given.chars().all(|c| c.is_ascii_hexdigit());
        let actual = match given.len() {
            64 if is_hash => hexadecimal(&Sha256::digest(program_text)),
            40 if is_hash => hexadecimal(&Sha1::digest(program_text)),
            _ => return None,
        };
        Some(actual == given)
    }
}

pub(super) fn architecture(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    }
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A test with the file that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTest {
    /// The path inside the suite.
    pub name: String,
    pub test: TestCase,
}

/// A suite as it was read, tests in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct SuiteFile {
    pub metadata: Option<Metadata>,
    pub tests: Vec<NamedTest>,
    /// Files that look like a part of the suite and cannot be used, and why.
    pub problems: Vec<crate::diagnostic::Diagnostic>,
}

impl SuiteFile {
    pub fn suite(&self) -> TestSuite {
        TestSuite { tests: self.tests.iter().map(|named| named.test.clone()).collect() }
    }
}

/// Seconds since 1970. `SOURCE_DATE_EPOCH` makes runs reproducible, see <https://reproducible-builds.org>.
pub(super) fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.trim().parse().ok());
    fixed.unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// A point in time in UTC; the civil calendar after Howard Hinnant, <https://howardhinnant.github.io/date_algorithms.html>.
pub(super) fn iso_8601(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_civil() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_794_821_580), "2026-11-16T09:33:00Z");
        assert_eq!(iso_8601(4_102_444_799), "2099-12-31T23:59:59Z");
    }

    #[test]
    fn programs_are_recognised_by_both_kinds_of_hash() {
        let hash = |hash: &str| Metadata { program_hash: hash.to_string(), ..Metadata::default() };
        let sha1 = "A9993E364706816ABA3E25717850C26C9CD0D89D";
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for good in [sha1, sha256] {
            assert_eq!(hash(good).is_about(b"abc"), Some(true));
            assert_eq!(hash(good).is_about(b"abd"), Some(false));
        }
        for unknown in ["", "abc", &"g".repeat(64)] {
            assert_eq!(hash(unknown).is_about(b"abc"), None);
        }
    }
}
