//! Golden texts: output is compared with a file; with `BLESS=1` the file is rewritten instead.

use std::fs;
use std::path::Path;

/// Compares `actual` with the text of `expected`; returns a description of the difference.
pub fn compare(expected: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("BLESS").is_some() {
        return fs::write(expected, actual).map_err(|error| format!("{}: {error}", expected.display()));
    }
    let wanted =
        fs::read_to_string(expected).map_err(|error| format!("{}: {error} (BLESS=1 writes it)", expected.display()))?;
    if wanted == actual {
        return Ok(());
    }
    Err(format!("{} differs (BLESS=1 rewrites it)\n--- expected\n{wanted}\n--- actual\n{actual}", expected.display()))
}
