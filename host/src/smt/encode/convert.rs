//! Conversions between scalar types, and scalars as truth values.

use super::Encoder;
use crate::smt::term::{FloatOrder, Sort, Term};
use tandem_plugin_api::program::constant::{infinity, int_to_float, parse_float};
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
            (Type::Float(kind), _) => self.float_to_int(value, *kind, width, to),
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

    /// A number that the integer type does not have becomes an unknown value: C leaves it open, and compilers differ.
    fn float_to_int(&mut self, value: Term, kind: FloatKind, width: u32, to: TypeId) -> Term {
        let signed = self.is_signed(to);
        let word = self.terms.float_to_int(width, signed, value);
        if self.terms.as_bits(word).is_some() {
            return word;
        }
        let fits = self.fits(value, kind, width, signed);
        let any = self.unknown(to, "out of range");
        self.terms.ite(fits, word, any)
    }

    /// Whether an integer type has the number without its fraction.
    fn fits(&mut self, value: Term, kind: FloatKind, width: u32, signed: bool) -> Term {
        let digits = match kind {
            FloatKind::Float => 24,
            FloatKind::Double => 53,
            FloatKind::LongDouble => 64,
            FloatKind::Float128 => 113,
        };
        let number = |text: String| parse_float(&text, kind).unwrap_or_else(|| infinity(kind));
        let high = number(format!("0x1p{}", if signed { width - 1 } else { width }));
        let high = self.terms.float(kind, high);
        let below = self.terms.float_compare(FloatOrder::Lt, value, high);
        let above = if !signed {
            let low = self.terms.float(kind, number("-1".into()));
            self.terms.float_compare(FloatOrder::Lt, low, value)
        } else if digits >= width {
            // The number below the lowest one is a float, too.
            let lowest = int_to_float(-(1i128 << (width - 1)) - 1, false, kind);
            let low = self.terms.float(kind, lowest);
            self.terms.float_compare(FloatOrder::Lt, low, value)
        } else {
            let low = self.terms.float(kind, number(format!("-0x1p{}", width - 1)));
            self.terms.float_compare(FloatOrder::Le, low, value)
        };
        self.terms.and(above, below)
    }
}
