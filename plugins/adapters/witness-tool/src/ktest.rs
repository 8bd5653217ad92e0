//! KLEE's test files (version 3 and before): a list of named objects, whose bytes are the inputs in the order in which they were made.
//! All numbers are big-endian.

use tandem_plugin_api::prelude::*;

/// The inputs of a test. Objects are integers of up to eight bytes in the machine's order.
pub fn vector(bytes: &[u8]) -> Result<Vec<u64>> {
    let mut rest = Reader { rest: bytes };
    let magic = rest.take(5)?;
    if magic != b"KTEST" && magic != b"BOUT\n" {
        return Err(PluginError::bad_input("it does not begin as KLEE's tests do"));
    }
    let version = rest.number()?;
    for _ in 0..rest.number()? {
        rest.sized()?;
    }
    if version >= 2 {
        // Objects for symbolic arguments, which are not used here.
        rest.take(8)?;
    }
    let mut values = Vec::new();
    for _ in 0..rest.number()? {
        rest.sized()?;
        let object = rest.sized()?;
        if object.len() > 8 {
            return Err(PluginError::bad_input(format!("an object has {} bytes, more than an input", object.len())));
        }
        values.push(object.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)));
    }
    Ok(values)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| PluginError::bad_input("it ends in the middle"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<usize> {
        Ok(self.take(4)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// Bytes with their number before them.
    fn sized(&mut self) -> Result<&'b [u8]> {
        let count = self.number()?;
        self.take(count)
    }
}
