//! Writes C text line by line, with a generator of numbers that is always the same.

use std::cell::Cell;

/// C text under construction.
pub struct Writer {
    text: String,
    depth: usize,
    state: Cell<u64>,
}

impl Writer {
    pub fn new(seed: u64) -> Self {
        Writer { text: String::new(), depth: 0, state: Cell::new(seed) }
    }

    /// One line, or several; indented by the braces around it.
    pub fn line(&mut self, text: impl AsRef<str>) -> &mut Self {
        for line in text.as_ref().lines() {
            let line = line.trim();
            self.depth -= usize::from(line.starts_with('}')).min(self.depth);
            let label = usize::from(line.starts_with("case ") || line.starts_with("default:")).min(self.depth);
            if !line.is_empty() {
                self.text.push_str(&"    ".repeat(self.depth - label));
            }
            self.text.push_str(line);
            self.text.push('\n');
            self.depth += usize::from(line.ends_with('{'));
        }
        self
    }

    /// A number below `bound`.
    pub fn below(&self, bound: u64) -> u64 {
        let next = self.state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.state.set(next);
        (next >> 33) % bound.max(1)
    }

    pub fn one_of<T: Copy>(&self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// The beginning of all generated programs.
pub const PRELUDE: &str = "extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }
";
