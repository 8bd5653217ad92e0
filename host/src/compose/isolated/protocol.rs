//! The messages between this process and the processes of isolated plugins: frames with a checksum, since a faulty
//! plugin may write anything anywhere.

use crate::compose::config::{Actor, PluginUse};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;
use tandem_plugin_api::artifact::{Bound, Gia, Outcome, Soundness};
use tandem_plugin_api::reducer::Residual;
use tandem_plugin_api::service::{Artifact, LogLevel, Progress, StopReason};
use tandem_plugin_api::task::{Inputs, Property};

/// The first message to a process; the program follows as bytes.
#[derive(Serialize, Deserialize)]
pub struct Job {
    /// The libraries of the plugins, and no others.
    pub files: Vec<PathBuf>,
    pub property: Property,
    pub work: Work,
    pub time: Option<Duration>,
    pub memory: Option<u64>,
}

/// The work that is done in a process of its own.
#[derive(Serialize, Deserialize)]
pub enum Work {
    Actor { actor: Actor, inputs: Box<Inputs> },
    Reduce { reducer: PluginUse, known: Gia },
    Split { splitter: PluginUse, inputs: Box<Inputs>, parts: u32 },
}

impl Work {
    pub fn plugins(&self) -> Vec<&PluginUse> {
        match self {
            Work::Actor { actor, .. } => actor.plugins(),
            Work::Reduce { reducer, .. } => vec![reducer],
            Work::Split { splitter, .. } => vec![splitter],
        }
    }
}

/// Later messages to the process.
#[derive(Serialize, Deserialize)]
pub enum ToWorker {
    Stop(StopReason),
    /// Another actor has found this.
    Incoming(Artifact),
}

#[derive(Serialize, Deserialize)]
pub enum FromWorker {
    Log(LogLevel, String),
    Progress(Progress),
    Published(Artifact),
    /// The last message.
    Done(std::result::Result<Answer, String>),
}

#[derive(Serialize, Deserialize)]
pub enum Answer {
    /// The outcome, with the plugins' notes on soundness.
    Outcome(Box<Outcome>, Soundness),
    Residual(Box<Residual>),
    Bounds(Vec<Bound>),
}

/// Why no message was received.
#[derive(Debug)]
pub enum Lost {
    /// The other side has closed its end.
    Closed,
    /// The bytes are not a message.
    Garbage(String),
}

/// The first bytes of every frame.
const MAGIC: [u8; 4] = *b"tdm\x01";
/// Longer frames are refused as garbage.
const LONGEST: u32 = 2 << 30;

pub fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    send_bytes(to, &bytes)
}

pub fn send_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other("the message is too long"))?;
    let mut head = [0; 12];
    head[..4].copy_from_slice(&MAGIC);
    head[4..8].copy_from_slice(&length.to_le_bytes());
    head[8..].copy_from_slice(&crc32fast::hash(bytes).to_le_bytes());
    to.write_all(&head)?;
    to.write_all(bytes)?;
    to.flush()
}

pub fn receive<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, Lost> {
    let bytes = receive_bytes(from)?;
    postcard::from_bytes(&bytes).map_err(|error| Lost::Garbage(format!("a message that cannot be read: {error}")))
}

pub fn receive_bytes(from: &mut impl Read) -> Result<Vec<u8>, Lost> {
    let mut head = [0; 12];
    from.read_exact(&mut head).map_err(|_| Lost::Closed)?;
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (length, checksum) = (number(4), number(8));
    if head[..4] != MAGIC || length > LONGEST {
        return Err(Lost::Garbage("bytes that are not a message".to_string()));
    }
    // The buffer grows with the bytes that arrive, since the length may be wrong.
    let mut bytes = Vec::new();
    let read = from.take(u64::from(length)).read_to_end(&mut bytes).map_err(|_| Lost::Closed)?;
    if read < length as usize {
        return Err(Lost::Closed);
    }
    if crc32fast::hash(&bytes) != checksum {
        return Err(Lost::Garbage("a message with a wrong checksum".to_string()));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_as_they_were_sent() {
        let mut pipe = Vec::new();
        send(&mut pipe, &FromWorker::Log(LogLevel::Info, "one".into())).unwrap();
        send(&mut pipe, &FromWorker::Done(Err("two".into()))).unwrap();
        let mut from = &pipe[..];
        assert!(matches!(receive(&mut from), Ok(FromWorker::Log(LogLevel::Info, text)) if text == "one"));
        assert!(matches!(receive(&mut from), Ok(FromWorker::Done(Err(text))) if text == "two"));
        assert!(matches!(receive::<FromWorker>(&mut from), Err(Lost::Closed)));
    }

    #[test]
    fn what_is_no_message_is_noticed() {
        let mut good = Vec::new();
        send(&mut good, &ToWorker::Stop(StopReason::OutOfTime)).unwrap();
        let last = good.len() - 1;
        let spoilt = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 0x55;
            receive::<ToWorker>(&mut &bytes[..]).err()
        };
        assert!(matches!(spoilt(0), Some(Lost::Garbage(_))));
        assert!(matches!(spoilt(9), Some(Lost::Garbage(_))));
        assert!(matches!(spoilt(last), Some(Lost::Garbage(_))));
        assert!(matches!(receive::<ToWorker>(&mut &good[..last]), Err(Lost::Closed)));
        assert!(matches!(receive::<ToWorker>(&mut &b"Hello, this is the plugin speaking"[..]), Err(Lost::Garbage(_))));
    }
}
