//! One program by `tandem verify`, with the question whether `abort` is called.

use crate::command::{Ended, binary, run_within};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tandem_plugin_api::program::DataModel;

/// The answer of `tandem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    True,
    False,
    /// With the line that it printed.
    Unknown(String),
    /// The front end refused the file.
    Refused(String),
    /// Status 70, a signal, or no end.
    Internal(String),
}

/// Beyond the limit that `tandem` was given.
const GRACE: Duration = Duration::from_secs(20);

/// Verifies that `abort` is never called. Without a configuration the default one runs.
pub fn verify(
    source: &Path,
    property: &Path,
    model: DataModel,
    configuration: &str,
    limit: Duration,
) -> Result<Answer, String> {
    let mut command = Command::new(binary());
    command.arg("verify").arg("-p").arg(property).args(["--data-model", model.name()]);
    command.arg("--limit").arg(format!("{}s", limit.as_secs()));
    if configuration != "default" {
        command.args(["-c", configuration]);
    }
    let ran = run_within(command.arg(source), limit + GRACE)?;
    let line = |text: &[u8]| String::from_utf8_lossy(text).lines().next().unwrap_or_default().to_owned();
    Ok(match ran.ended {
        Ended::Status(0) => Answer::True,
        Ended::Status(10) => Answer::False,
        Ended::Status(20) => Answer::Unknown(line(&ran.stdout)),
        Ended::Status(2) => Answer::Refused(line(&ran.stderr)),
        Ended::Status(status) => Answer::Internal(format!("status {status}: {}", line(&ran.stderr))),
        Ended::Signal(signal) => Answer::Internal(format!("signal {signal}")),
        Ended::Late => Answer::Internal("did not end".to_owned()),
    })
}
