//! Condition automata in CPAchecker's text (`AssumptionAutomaton.txt`), and GIAs in the extension of it: read and written.
//! Language: `doc/SpecificationAutomata.md` of CPAchecker; the extension is that of its branch `uca-generation`.
//!
//! ```text
//! OBSERVER AUTOMATON AssumptionAutomaton
//! INITIAL STATE q0;
//! STATE __TRUE :
//!     TRUE -> GOTO __TRUE;
//! STATE USEFIRST q0 :
//!     MATCH "[n < 0]" -> ASSUME {n > -9} GOTO __TRUE;
//!     TRUE -> GOTO q0;
//! END AUTOMATON
//! ```
//! `__TRUE` and `NON_TARGET` states are ut, `TARGET` states and `ERROR` are rt, `UNKNOWN` states are cand, all others accept
//! nothing. An edge that no transition of a state matches leaves the automaton where it is; a GIA would end its run there, so
//! the reader makes this explicit.
//!
//! The texts of edges are CPAchecker's, whose automaton of the program has other edges than ours: blank ones, declarations.
//! A wrong guess about them must never make a path ut that the file does not claim. See `resolve.rs` for how.

mod lex;
mod normal;
mod parse;
mod resolve;
mod texts;
mod triggers;
mod write;

pub use write::write;

use crate::diagnostic::Diagnostic;
use std::path::Path;
use tandem_plugin_api::artifact::Gia;
use tandem_plugin_api::program::Program;

/// Larger files are refused.
const MAX_BYTES: u64 = 256 << 20;

/// The dialects of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// CPAchecker's own dialect: states are ut or not.
    Condition,
    /// The dialect for everything in a GIA: state types, scopes, invariants.
    Gia,
}

/// An automaton, and notes about parts that could not be translated exactly. Leaving a part out only makes fewer paths
/// covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated<T> {
    pub result: T,
    pub notes: Vec<String>,
}

/// Reads a file over this program; `#include` in it names other files.
pub fn read(path: &Path, program: &Program) -> Result<Translated<Gia>, Diagnostic> {
    let automaton = parse::Parser::new(lex::read(path)?).automaton()?;
    resolve::resolve(&automaton, program)
}

/// Reads a text that includes no other files; `file` is its name, for messages.
pub fn parse(text: &str, file: &str, program: &Program) -> Result<Translated<Gia>, Diagnostic> {
    let automaton = parse::Parser::new(lex::tokens(text, file)?).automaton()?;
    resolve::resolve(&automaton, program)
}
