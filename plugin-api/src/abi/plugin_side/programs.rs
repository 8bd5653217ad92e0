//! Decoded programs of this library, shared by its instances. Decoding a large program takes a while and much memory,
//! and many actors of one plugin work on the same one.

use super::super::codec;
use super::super::contract::HostBox;
use crate::error::{PluginError, Result};
use crate::program::Program;
use std::sync::{Arc, Mutex, PoisonError, Weak};

#[derive(Default)]
struct Cache {
    known: Vec<(u64, Weak<Program>)>,
    /// Kept alive even if no instance uses it: the next round of a cycle probably will.
    last: Option<Arc<Program>>,
}

static CACHE: Mutex<Cache> = Mutex::new(Cache { known: Vec::new(), last: None });

/// The program with the host's number `id`, which is asked of the host only if it is not known here.
pub fn decoded(id: u64, host: &HostBox) -> Result<Arc<Program>> {
    // The lock is held while decoding: a second instance waits for the first rather than decode it again.
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.find_or_insert(id, || {
        let bytes = host.program().into_result().map_err(PluginError::from)?;
        codec::decode(&bytes, "a program")
    })
}

impl Cache {
    fn find_or_insert(&mut self, id: u64, decode: impl FnOnce() -> Result<Program>) -> Result<Arc<Program>> {
        let found = self.known.iter().find(|(known, _)| *known == id).and_then(|(_, program)| program.upgrade());
        let program = match found {
            Some(program) => program,
            None => {
                let program = Arc::new(decode()?);
                self.known.retain(|(known, old)| *known != id && old.strong_count() > 0);
                self.known.push((id, Arc::downgrade(&program)));
                program
            }
        };
        self.last = Some(Arc::clone(&program));
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::testing;

    #[test]
    fn a_program_is_decoded_once_while_it_is_used() {
        let mut cache = Cache::default();
        let mut decodings = 0;
        let mut get = |cache: &mut Cache, id| {
            cache
                .find_or_insert(id, || {
                    decodings += 1;
                    Ok(Program::clone(testing::two_inputs().program()))
                })
                .unwrap()
        };
        let first = get(&mut cache, 1);
        assert!(Arc::ptr_eq(&first, &get(&mut cache, 1)));
        drop(get(&mut cache, 2));
        assert!(Arc::ptr_eq(&first, &get(&mut cache, 1)));
        drop(get(&mut cache, 3));
        assert_eq!(cache.known.len(), 2, "entries of dropped programs are removed");
        assert_eq!(decodings, 3);
    }

    #[test]
    fn what_cannot_be_decoded_is_not_kept() {
        let mut cache = Cache::default();
        assert!(cache.find_or_insert(1, || Err("broken".into())).is_err());
        assert!(cache.known.is_empty());
    }
}
