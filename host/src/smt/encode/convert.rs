//! Conversions between scalar types, and scalars as truth values.

use super::Encoder;
use crate::smt::term::{FloatOrder, Sort, Term};
use tandem_plugin_api::program::*;

impl Encoder {
    pub(super) fn is_signed(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Int(kind) if kind.is_signed())
    }

    /// Whether C takes a scalar for true.
    pub(super) fn truth(&mut self, value: Term) -> Term {
        match self.terms.sort(value) {
            Sort::Float(kind) => {
                let zero = self.terms.float(kind, 0);
                let is_zero = self.terms.float_compare(FloatOrder::Eq, value, zero);
                self.terms.not(is_zero)
            }
            Sort::Bool => value,
            _ => self.terms.is_nonzero(value),
        }
    }

    /// `(to) value`.
    pub(super) fn convert(&mut self, value: Term, from: TypeId, to: TypeId) -> Term {
        if from == to {
            return value;
        }
        let program = self.program.clone();
        let types = &program.types;
        let width = types.size_of(to).unwrap_or(1) as u32 * 8;
        match (types.get(from), types.get(to)) {
            (_, Type::Int(IntKind::Bool)) => {
                let truth = self.truth(value);
                self.terms.from_bool(8, truth)
            }
            (Type::Float(_), Type::Float(kind)) => self.terms.float_convert(*kind, value),
            (Type::Float(_), _) => {
                // Narrow integers are converted by way of `int`.
                let word = self.terms.float_to_int(width.max(32), self.is_signed(to) || width < 32, value);
                self.terms.resize(width, false, word)
            }
            (_, Type::Float(kind)) => {
                let signed = self.is_signed(from);
                self.terms.float_from_int(*kind, signed, value)
            }
            (_, Type::Void) => value,
            _ => {
                let signed = self.is_signed(from);
                self.terms.resize(width, signed, value)
            }
        }
    }
}
