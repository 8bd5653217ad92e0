//! The result of a call as a constraint on `\result` in C, and back: numbers need suffixes to have their type, and NaN
//! and infinities need another form.

use tandem_plugin_api::artifact::InputValue;
use tandem_plugin_api::program::{FloatKind, Type};

/// Only infinity is beyond these.
const LARGEST_FLOAT: &str = "3.4028234663852886e38";
const LARGEST_DOUBLE: &str = "1.7976931348623157e308";

/// `\result == 7`, for the result of a function of this type; `None` if C cannot express it.
pub(super) fn constraint(value: &InputValue, returned: &Type) -> Option<String> {
    let text = value.to_string();
    let number = match value {
        InputValue::Int { .. } if matches!(returned, Type::Pointer(_)) && text != "0" => format!("(void *){text}"),
        // Larger than any signed type: C needs a suffix.
        InputValue::Int { signed: false, bits, .. } if *bits > i64::MAX as u128 => format!("{text}ULL"),
        InputValue::Int { .. } => text,
        InputValue::Float { kind, .. } => {
            let (largest, suffix) = match kind {
                FloatKind::Float => (LARGEST_FLOAT, "f"),
                FloatKind::Double => (LARGEST_DOUBLE, ""),
                FloatKind::LongDouble | FloatKind::Float128 => return None,
            };
            match text.as_str() {
                "inf" => return Some(format!("\\result > {largest}")),
                "-inf" => return Some(format!("\\result < -{largest}")),
                // A NaN differs from itself; the constraint cannot say which NaN it is.
                "nan" | "-nan" => return Some("\\result != \\result".into()),
                hexadecimal if hexadecimal.contains("0x") => return Some("\\result != \\result".into()),
                number => format!("{number}{suffix}"),
            }
        }
        InputValue::Text(_) | InputValue::Any => return None,
    };
    Some(format!("\\result == {number}"))
}

/// A value that a constraint on `\result` allows, as a test names it; `None` where it does not name one.
pub(super) fn named_value(text: &str) -> Option<String> {
    let text: String = text.trim().trim_end_matches(';').split_whitespace().collect();
    let text = text.trim_start_matches('(').trim_end_matches(')');
    if text == "\\result!=\\result" {
        return Some("nan".into());
    }
    if let Some((left, right)) = text.split_once("==") {
        return match (left, right) {
            ("\\result", value) | (value, "\\result") => Some(plain(value)),
            _ => None,
        };
    }
    let beyond = |limit: &str| plain(limit).parse::<f64>().is_ok_and(|limit| limit.abs() >= f64::from(f32::MAX));
    match (text.strip_prefix("\\result>"), text.strip_prefix("\\result<")) {
        (Some(limit), _) if beyond(limit) && !limit.starts_with('-') => Some("inf".into()),
        (_, Some(limit)) if beyond(limit) && limit.starts_with('-') => Some("-inf".into()),
        _ => None,
    }
}

/// A constant without the suffixes and casts of C.
fn plain(constant: &str) -> String {
    let bare = constant.trim_start_matches("(void*)");
    let is_hexadecimal = bare.contains("0x") || bare.contains("0X");
    let is_fraction = !is_hexadecimal && bare.contains(['.', 'e', 'E']);
    let suffixes: &[char] = if is_fraction { &['f', 'F', 'l', 'L'] } else { &['u', 'U', 'l', 'L'] };
    bare.trim_end_matches(suffixes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::ValueType;
    use tandem_plugin_api::program::TypeId;

    #[test]
    fn values_survive_their_way_through_c() {
        let int = |width, signed| ValueType::Int { width, signed };
        let float = ValueType::Float(FloatKind::Float);
        let double = ValueType::Float(FloatKind::Double);
        for (text, ty, in_c) in [
            ("-7", int(32, true), "\\result == -7"),
            ("18446744073709551615", int(64, false), "\\result == 18446744073709551615ULL"),
            ("0.1", float, "\\result == 0.1f"),
            ("1e300", double, "\\result == 1e300"),
            ("inf", float, "\\result > 3.4028234663852886e38"),
            ("-inf", double, "\\result < -1.7976931348623157e308"),
            ("nan", double, "\\result != \\result"),
        ] {
            let value = InputValue::parse(text, ty).unwrap();
            let written = constraint(&value, &Type::Void).unwrap();
            assert_eq!(written, in_c);
            let back = named_value(&written).unwrap();
            assert_eq!(InputValue::parse(&back, ty).unwrap(), value, "{back}");
        }
        let pointer = InputValue::parse("4096", int(64, false)).unwrap();
        let written = constraint(&pointer, &Type::Pointer(TypeId::new(0))).unwrap();
        assert_eq!((written.as_str(), named_value(&written)), ("\\result == (void *)4096", Some("4096".into())));
        assert_eq!(named_value("x == 3"), None);
        assert_eq!(named_value("(0x1F == \\result);"), Some("0x1F".into()));
    }
}
