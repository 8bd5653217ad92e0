//! Small programs, paths of programs, and what automata cover of them, for tests of artifacts.

use tandem_plugin_api::artifact::{AcceptanceSet, Condition, Gia};
use tandem_plugin_api::program::{EdgeId, Op, Program};

/// Safe: counts up to an input.
pub const COUNT: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  if (n < 0 || n > 100) {
    return 0;
  }
  while (i < n) {
    i = i + 1;
  }
  if (i != n) {
    reach_error();
  }
  return 0;
}
";

/// Calls `reach_error` for the input 7.
pub const SEVEN: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n && i < 10) {
    i = i + 1;
  }
  if (i == 7) {
    reach_error();
  }
  return 0;
}
";

/// Paths of the program from its start, by a small random number generator; calls return where they came from.
pub fn random_paths(program: &Program, count: usize, length: usize, mut seed: u64) -> Vec<Vec<EdgeId>> {
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut paths = Vec::new();
    for _ in 0..count {
        let (mut at, mut path, mut calls) = (program.entry().expect("a main function"), Vec::new(), Vec::new());
        while path.len() < length {
            let passable = |edge: &&EdgeId| match program.edge(**edge).op {
                Op::Resume(site) => calls.last() == Some(&site),
                _ => true,
            };
            let next: Vec<EdgeId> = program.location(at).leaving.iter().filter(passable).copied().collect();
            if next.is_empty() {
                break;
            }
            let edge = next[random(next.len())];
            match program.edge(edge).op {
                Op::Call(site) => calls.push(site),
                Op::Resume(_) => drop(calls.pop()),
                _ => {}
            }
            path.push(edge);
            at = program.edge(edge).to;
        }
        paths.push(path);
    }
    paths
}

/// A fixed but arbitrary meaning of conditions; that of a conjunction is that of its parts.
pub fn truth(condition: &Condition, step: usize, seed: u64) -> bool {
    condition.text().trim_start_matches('(').trim_end_matches(')').split(") && (").all(|part| {
        let start = seed ^ (step as u64) << 7;
        let hash = part.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        part == "true" || (hash >> 17) % 3 != 0
    })
}

/// The coverage of the path by the automaton, with that meaning.
pub fn covered(gia: &Gia, path: &[EdgeId], seed: u64) -> AcceptanceSet {
    gia.covers(path, &mut |condition, step| truth(condition, step, seed))
}
