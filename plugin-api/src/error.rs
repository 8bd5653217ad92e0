//! The error that every plugin method may return.
//! It is plain data, so that it crosses the plugin boundary and process boundaries unchanged.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The result of a plugin method.
pub type Result<T> = std::result::Result<T, PluginError>;

/// Why a plugin could not do what it was asked to. It ends the run of that actor, never that of the whole program.
///
/// ```
/// use tandem_plugin_api::error::{PluginError, Result};
///
/// fn half(n: i64) -> Result<i64> {
///     if n % 2 != 0 {
///         return Err(PluginError::new(format!("{n} is odd")));
///     }
///     Ok(n / 2)
/// }
/// assert_eq!(half(3).unwrap_err().to_string(), "3 is odd");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginError {
    pub kind: ErrorKind,
    /// What is wrong: a lower-case fragment without a final full stop.
    pub message: String,
}

/// The kind of a failure; decides how the host goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ErrorKind {
    /// The plugin gave up, for the reason in the message.
    Failed,
    /// The program or the input uses something that the plugin cannot treat.
    Unsupported,
    /// An option or an input artifact makes no sense.
    BadInput,
    /// The host asked to stop (time, memory, cancellation), and the plugin did.
    Stopped,
    /// The plugin panicked. It is not called again.
    Panicked,
    /// Bytes or handles that do not fit the contract: a bug in the host or in the plugin's tool chain.
    Protocol,
    /// This host does not have the service that was asked for.
    Unavailable,
}

impl ErrorKind {
    /// The number that stands for the kind at the plugin boundary.
    pub(crate) fn code(self) -> u32 {
        match self {
            ErrorKind::Failed => 0,
            ErrorKind::Unsupported => 1,
            ErrorKind::BadInput => 2,
            ErrorKind::Stopped => 3,
            ErrorKind::Panicked => 4,
            ErrorKind::Protocol => 5,
            ErrorKind::Unavailable => 6,
        }
    }

    /// Kinds that a newer contract adds count as plain failures here.
    pub(crate) fn from_code(code: u32) -> Self {
        match code {
            1 => ErrorKind::Unsupported,
            2 => ErrorKind::BadInput,
            3 => ErrorKind::Stopped,
            4 => ErrorKind::Panicked,
            5 => ErrorKind::Protocol,
            6 => ErrorKind::Unavailable,
            _ => ErrorKind::Failed,
        }
    }
}

impl PluginError {
    /// A plain failure.
    pub fn new(message: impl Into<String>) -> Self {
        PluginError::of(ErrorKind::Failed, message)
    }

    pub fn of(kind: ErrorKind, message: impl Into<String>) -> Self {
        PluginError { kind, message: message.into() }
    }

    pub fn unsupported(message: impl Into<String>) -> Self {
        PluginError::of(ErrorKind::Unsupported, message)
    }

    pub fn bad_input(message: impl Into<String>) -> Self {
        PluginError::of(ErrorKind::BadInput, message)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        PluginError::of(ErrorKind::Unavailable, message)
    }

    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        PluginError::of(ErrorKind::Protocol, message)
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PluginError {}

impl From<String> for PluginError {
    fn from(message: String) -> Self {
        PluginError::new(message)
    }
}

impl From<&str> for PluginError {
    fn from(message: &str) -> Self {
        PluginError::new(message)
    }
}

macro_rules! from_errors {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for PluginError {
            fn from(error: $error) -> Self {
                PluginError::new(error.to_string())
            }
        }
    )*};
}

from_errors!(
    std::io::Error,
    std::fmt::Error,
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    serde_json::Error,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_lead_back_to_their_kinds() {
        use ErrorKind::*;
        for kind in [Failed, Unsupported, BadInput, Stopped, Panicked, Protocol, Unavailable] {
            assert_eq!(ErrorKind::from_code(kind.code()), kind);
        }
        assert_eq!(ErrorKind::from_code(999), Failed);
    }
}
