//! Integer, floating-point, character and string literals: their values and types as gcc gives them.

use super::{Lowered, Lowerer};
use lang_c::ast;
use lang_c::span::Span as AstSpan;
use tandem_plugin_api::program::constant::parse_float;
use tandem_plugin_api::program::*;

impl Lowerer<'_> {
    pub fn literal(&mut self, constant: &ast::Constant, span: AstSpan) -> Lowered<ExprId> {
        match constant {
            ast::Constant::Integer(integer) => self.integer_literal(integer, span),
            ast::Constant::Float(float) => self.float_literal(float, span),
            ast::Constant::Character(text) => self.character_literal(text, span),
        }
    }

    fn integer_literal(&mut self, integer: &ast::Integer, span: AstSpan) -> Lowered<ExprId> {
        let radix = match integer.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
        let Ok(value) = u128::from_str_radix(digits, radix) else {
            return self.invalid(format!("integer literal `{digits}` is too large"), span);
        };
        let model = self.types.model;
        let kind = match integer_kind(value, integer, model) {
            // gcc has no literals of 128 bits there, and uses the widest type that it has.
            Some(IntKind::Int128 | IntKind::UInt128) | None
                if model == DataModel::Ilp32 && value <= u64::MAX.into() =>
            {
                if integer.suffix.unsigned {
                    IntKind::ULongLong
                } else {
                    IntKind::LongLong
                }
            }
            Some(kind) => kind,
            None => return self.invalid(format!("integer literal `{digits}` is too large"), span),
        };
        let ty = self.types.int(kind);
        let value = self.int_constant(value as i128, ty);
        if integer.suffix.imaginary { self.imaginary(value, span) } else { Ok(value) }
    }

    fn float_literal(&mut self, float: &ast::Float, span: AstSpan) -> Lowered<ExprId> {
        let kind = match &float.suffix.format {
            ast::FloatFormat::Float => FloatKind::Float,
            ast::FloatFormat::Double => FloatKind::Double,
            ast::FloatFormat::LongDouble => FloatKind::LongDouble,
            ast::FloatFormat::TS18661Format(format) => match ts18661_kind(format) {
                Some(kind) => kind,
                None => return self.unsupported("floating-point format of this literal", span),
            },
        };
        let hexadecimal = float.base == ast::FloatBase::Hexadecimal && !float.number.starts_with("0x");
        let text = if hexadecimal { format!("0x{}", float.number) } else { float.number.to_string() };
        let Some(bits) = parse_float(&text, kind) else {
            return self.invalid(format!("`{text}` is not a floating-point literal"), span);
        };
        let ty = self.types.intern(Type::Float(kind));
        let value = self.exprs.intern(ExprKind::Float(bits), ty);
        if float.suffix.imaginary { self.imaginary(value, span) } else { Ok(value) }
    }

    fn character_literal(&mut self, text: &str, span: AstSpan) -> Lowered<ExprId> {
        let decoded = prefix_width(text, '\'').and_then(|width| Some((width, decode(text, '\'', width)?)));
        let (wide, units) = match decoded {
            Some(decoded) => decoded,
            None => return self.invalid(format!("`{text}` is not a character literal"), span),
        };
        let int = self.common.int;
        let value = match (wide, units.as_slice()) {
            (Width::Narrow, [unit]) => i128::from(*unit as u8 as i8),
            // gcc packs several characters into an int, the last one lowest.
            (Width::Narrow, many) => i128::from(many.iter().fold(0i32, |v, &u| (v << 8) | (u & 0xff) as i32)),
            (_, [.., unit]) => i128::from(*unit as i32),
            (_, []) => return self.invalid("empty character literal", span),
        };
        let ty = match wide {
            Width::Narrow => int,
            Width::Wide => self.types.int(self.wide_kind()),
            Width::Char16 => self.types.int(IntKind::UShort),
            Width::Char32 => self.types.int(IntKind::UInt),
        };
        Ok(self.int_constant(value, ty))
    }

    /// gcc's `wchar_t`.
    fn wide_kind(&self) -> IntKind {
        if self.types.model == DataModel::Ilp32 { IntKind::Long } else { IntKind::Int }
    }

    /// The elements of a string literal with its final zero, and their type.
    pub fn string_units(&mut self, pieces: &[String], span: AstSpan) -> Lowered<(Vec<u32>, TypeId)> {
        // All pieces have the width of those with a prefix.
        let mut prefixes = pieces.iter().rev().filter_map(|piece| prefix_width(piece, '"'));
        let width = prefixes.find(|&width| width != Width::Narrow).unwrap_or(Width::Narrow);
        let mut units = Vec::new();
        for piece in pieces {
            let Some(mut decoded) = decode(piece, '"', width) else {
                return self.invalid(format!("{piece} is not a string literal"), span);
            };
            units.append(&mut decoded);
        }
        units.push(0);
        let kind = match width {
            Width::Narrow => IntKind::Char,
            Width::Wide => self.wide_kind(),
            Width::Char16 => IntKind::UShort,
            Width::Char32 => IntKind::UInt,
        };
        Ok((units, self.types.int(kind)))
    }

    /// The array behind a string literal. Whether equal literals share one is up to the compiler: each gets its own here, but
    /// for those that only a function gets that does not return.
    pub fn string_variable(&mut self, pieces: &[String], span: AstSpan) -> Lowered<VarId> {
        let at = if self.shares_literals { 0 } else { span.start };
        self.string_variable_at(at, pieces, span)
    }

    /// Likewise, with a number that separates it from others of the same contents.
    pub fn string_variable_at(&mut self, at: usize, pieces: &[String], span: AstSpan) -> Lowered<VarId> {
        let (units, element) = self.string_units(pieces, span)?;
        let key = (element, units.clone(), at);
        if let Some(&id) = self.strings.get(&key) {
            return Ok(id);
        }
        let ty = self.types.intern(Type::Array { element, length: units.len() as u64 });
        let id = self.add_variable(Variable {
            name: "__tandem_string".into(),
            unique_name: String::new(),
            ty,
            storage: Storage::StringLiteral,
            function: None,
            span: self.span(span),
            address_taken: true,
            align: None,
            initializer: Vec::new(),
        });
        let place = self.variable_expr(id);
        let initializer = self.string_initials(place, &units, element);
        self.variables[id.index()].initializer = initializer;
        self.strings.insert(key, id);
        Ok(id)
    }

    /// Assignments of the non-zero units to the elements of an array place.
    pub fn string_initials(&mut self, place: ExprId, units: &[u32], element: TypeId) -> Vec<Initial> {
        let size = self.common.int;
        let mut initials = Vec::new();
        for (i, &unit) in units.iter().enumerate().filter(|&(_, &unit)| unit != 0) {
            let index = self.int_constant(i as i128, size);
            let place = self.index(place, index);
            let value = self.int_constant(unit.into(), element);
            initials.push(Initial { place, value });
        }
        initials
    }
}

/// The first type of C11 6.4.4.1's list that holds the value.
fn integer_kind(value: u128, integer: &ast::Integer, model: DataModel) -> Option<IntKind> {
    use IntKind::*;
    let decimal = integer.base == ast::IntegerBase::Decimal;
    let smallest = match integer.suffix.size {
        ast::IntegerSize::Int => 3,
        ast::IntegerSize::Long => 4,
        ast::IntegerSize::LongLong => 5,
    };
    [Int, UInt, Long, ULong, LongLong, ULongLong, Int128, UInt128]
        .into_iter()
        .filter(|kind| kind.rank() >= smallest)
        .filter(|kind| if integer.suffix.unsigned { !kind.is_signed() } else { kind.is_signed() || !decimal })
        .find(|kind| {
            let bits = kind.bits(model) - u32::from(kind.is_signed());
            bits >= 128 || value < (1u128 << bits)
        })
}

pub(super) fn ts18661_kind(format: &ast::TS18661FloatType) -> Option<FloatKind> {
    use ast::TS18661FloatFormat::*;
    match (&format.format, format.width) {
        (BinaryInterchange, 32) => Some(FloatKind::Float),
        (BinaryInterchange, 64) | (BinaryExtended, 32) => Some(FloatKind::Double),
        (BinaryExtended, 64) => Some(FloatKind::LongDouble),
        (BinaryInterchange, 128) => Some(FloatKind::Float128),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Narrow,
    Wide,
    Char16,
    Char32,
}

/// Prefix and code units of a quoted literal.
fn decode(text: &str, quote: char, width: Width) -> Option<Vec<u32>> {
    let open = text.find(quote)?;
    let body = text[open + 1..].strip_suffix(quote)?;
    let mut units = Vec::new();
    let mut rest = body.chars();
    while let Some(c) = rest.next() {
        if c == '\\' {
            escape(&mut rest, width, &mut units)?;
        } else {
            push_char(c, width, &mut units);
        }
    }
    Some(units)
}

/// The width by the letters before the quote.
fn prefix_width(text: &str, quote: char) -> Option<Width> {
    Some(match &text[..text.find(quote)?] {
        "" | "u8" => Width::Narrow,
        "L" => Width::Wide,
        "u" => Width::Char16,
        "U" => Width::Char32,
        _ => return None,
    })
}

fn push_char(c: char, width: Width, units: &mut Vec<u32>) {
    match width {
        Width::Narrow => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        Width::Char16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        Width::Wide | Width::Char32 => units.push(c as u32),
    }
}

/// Decodes the escape behind a backslash.
fn escape(rest: &mut std::str::Chars<'_>, width: Width, units: &mut Vec<u32>) -> Option<()> {
    let c = rest.next()?;
    let simple = match c {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '0'..='7' => {
            let mut value = c.to_digit(8)?;
            for _ in 0..2 {
                let Some(digit) = rest.clone().next().and_then(|d| d.to_digit(8)) else { break };
                value = value * 8 + digit;
                rest.next();
            }
            value & if width == Width::Narrow { 0xff } else { u32::MAX }
        }
        'x' => {
            let mut value = 0u32;
            while let Some(digit) = rest.clone().next().and_then(|d| d.to_digit(16)) {
                value = value.wrapping_mul(16).wrapping_add(digit);
                rest.next();
            }
            value & if width == Width::Narrow { 0xff } else { u32::MAX }
        }
        'u' | 'U' => {
            let digits: String = rest.by_ref().take(if c == 'u' { 4 } else { 8 }).collect();
            push_char(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?, width, units);
            return Some(());
        }
        other => u32::from(u8::try_from(other).ok()?),
    };
    units.push(simple);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_decode_to_bytes() {
        let units = decode(r#""a\n\x41\101\0é""#, '"', Width::Narrow).expect("a literal");
        assert_eq!(units, [97, 10, 0x41, 0o101, 0, 0xc3, 0xa9]);
        assert!(decode("abc", '"', Width::Narrow).is_none());
    }
}
