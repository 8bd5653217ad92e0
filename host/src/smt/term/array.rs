//! Simplifying constructors of arrays: a read looks for its element behind writes to other elements.

use super::{FALSE, Node, Sort, TRUE, Term, Terms};

/// Reads look through at most so many writes.
const LOOK_BACK: usize = 2000;

impl Terms {
    /// An array that has `element` everywhere.
    pub fn uniform(&mut self, index: u32, element: Term) -> Term {
        let sort = Sort::Array { index, element: self.width(element) };
        self.intern(Node::Uniform { index, element }, sort)
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { element, .. } = self.sort(array) else { return array };
        let mut at = array;
        for _ in 0..LOOK_BACK {
            match self.node(at) {
                Node::Uniform { element, .. } => return element,
                Node::Store(before, written, value) => match self.eq(written, index) {
                    TRUE => return value,
                    FALSE => at = before,
                    _ => break,
                },
                _ => break,
            }
        }
        self.intern(Node::Select(at, index), Sort::Bits(element))
    }

    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort(array);
        if let Node::Store(before, written, _) = self.node(array)
            && written == index
        {
            return self.store(before, index, value);
        }
        if self.node(value) == Node::Select(array, index) {
            return array;
        }
        self.intern(Node::Store(array, index, value), sort)
    }
}
