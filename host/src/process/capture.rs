//! Writes what a program prints to a file, up to a number of bytes.
//! The rest is read and dropped, so that neither the disk fills up nor the program waits for a reader.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};

/// One stream on its way to a file.
pub struct Capture {
    thread: JoinHandle<io::Result<bool>>,
}

impl Capture {
    pub fn start(stream: impl Read + Send + 'static, path: &Path, cap: u64) -> io::Result<Capture> {
        let file = File::create(path)?;
        let thread = thread::Builder::new().name("capture".into()).spawn(move || copy(stream, file, cap))?;
        Ok(Capture { thread })
    }

    /// Waits for the end of the stream, which comes when all that could write to it have ended; whether bytes were dropped.
    pub fn finish(self) -> io::Result<bool> {
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that reads output has panicked")))
    }
}

fn copy(mut stream: impl Read, mut file: File, cap: u64) -> io::Result<bool> {
    let mut buffer = vec![0; 64 << 10];
    let (mut left, mut dropped) = (cap, false);
    let mut written = Ok(());
    loop {
        let read = match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let kept = read.min(usize::try_from(left).unwrap_or(usize::MAX));
        // A full disk must not block the program; the error is reported at the end.
        if written.is_ok() {
            written = file.write_all(buffer.get(..kept).unwrap_or_default());
        }
        left -= kept as u64;
        dropped |= kept < read;
    }
    written.map(|()| dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let text = vec![b'x'; 200_000];
        assert!(Capture::start(io::Cursor::new(text.clone()), &path, 100_000).unwrap().finish().unwrap());
        assert_eq!(std::fs::read(&path).unwrap().len(), 100_000);
        assert!(!Capture::start(io::Cursor::new(text), &path, 200_000).unwrap().finish().unwrap());
        assert_eq!(std::fs::read(&path).unwrap().len(), 200_000);
    }
}
