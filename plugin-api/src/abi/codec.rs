//! Cold data crosses the boundary as bytes: the postcard encoding of serde types, fixed by the API version.
//! The same bytes serve plugins that run in a process of their own.

use crate::error::{PluginError, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(|e| PluginError::protocol(format!("cannot encode a message: {e}")))
}

/// `what` says in error messages what the bytes should have been.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T> {
    let (value, rest) = postcard::take_from_bytes(bytes)
        .map_err(|e| PluginError::protocol(format!("the bytes passed are not {what}: {e}")))?;
    if !rest.is_empty() {
        return Err(PluginError::protocol(format!("{} bytes too many after {what}", rest.len())));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_comes_back() {
        let value = (vec![Some(-5i128), None], "text".to_string(), 1.5f64);
        let bytes = encode(&value).unwrap();
        assert_eq!(decode::<(Vec<Option<i128>>, String, f64)>(&bytes, "a triple").unwrap(), value);
    }

    #[test]
    fn bytes_that_are_something_else_are_refused() {
        assert!(decode::<String>(&[200], "a string").is_err());
        let mut bytes = encode("abc").unwrap();
        bytes.push(0);
        assert!(decode::<String>(&bytes, "a string").unwrap_err().message.contains("too many"));
    }
}
