//! Mutants of self-checking programs: a comparison that guards a call of `abort` is turned round.

use std::ops::Range;

/// A changed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    pub text: String,
    /// Of the comparison that was changed, from 1.
    pub line: usize,
    pub change: String,
}

/// Longest first, so that `<=` is not taken for `<`.
const OPPOSITES: [(&str, &str); 6] = [("==", "!="), ("!=", "=="), ("<=", ">"), (">=", "<"), ("<", ">="), (">", "<=")];

/// One mutant for each `if (… comparison …)` that is followed by a call of `abort`, with its last comparison turned round.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("if") {
        let Some(condition) = condition(text, at) else { continue };
        if !is_followed_by_abort(&text[condition.end + 1..]) {
            continue;
        }
        let Some((operator, from, to)) = last_comparison(text, condition) else { continue };
        let mut changed = text.to_owned();
        changed.replace_range(operator.clone(), to);
        let line = text[..operator.start].lines().count();
        found.push(Mutant { text: changed, line, change: format!("{from} becomes {to}") });
    }
    found
}

/// The text in the parentheses of the `if` at `at`.
fn condition(text: &str, at: usize) -> Option<Range<usize>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#';
    if text[..at].ends_with(is_name) {
        return None;
    }
    let rest = &text[at + 2..];
    let open = at + 2 + rest.find(|c: char| !c.is_whitespace())?;
    if !text[open..].starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    for (offset, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            // Quoted parentheses would have to be recognised; such conditions are left alone.
            b'"' | b'\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(open + 1..offset);
        }
    }
    None
}

fn is_followed_by_abort(rest: &str) -> bool {
    let rest = rest.trim_start().trim_start_matches('{').trim_start();
    ["abort", "__builtin_abort"]
        .iter()
        .any(|name| rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')))
}

fn last_comparison(text: &str, within: Range<usize>) -> Option<(Range<usize>, &'static str, &'static str)> {
    let bytes = text.as_bytes();
    let mut at = within.end;
    while at > within.start {
        at -= 1;
        for (from, to) in OPPOSITES {
            // The operator ends at `at`, and is not part of `<<`, `>>`, `->`, `<<=` or the like.
            let Some(start) = (at + 1).checked_sub(from.len()).filter(|start| *start >= within.start) else { continue };
            let before = start.checked_sub(1).map(|i| bytes[i]);
            let after = bytes.get(at + 1);
            let alone = !before.is_some_and(|b| b"<>-=!".contains(&b)) && !after.is_some_and(|b| b"<>=".contains(b));
            if &bytes[start..=at] == from.as_bytes() && alone {
                return Some((start..at + 1, from, to));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comparison_before_abort_is_turned_round() {
        let changed = |text: &str| mutants(text).into_iter().map(|mutant| mutant.text).collect::<Vec<_>>();
        assert_eq!(changed("if (a == b)\n  abort ();"), ["if (a != b)\n  abort ();"]);
        assert_eq!(
            changed("if (p->x << 2 <= 3) { __builtin_abort (); }"),
            ["if (p->x << 2 > 3) { __builtin_abort (); }"]
        );
        assert_eq!(changed("if (a != 1 || f (b) >= 2) abort();"), ["if (a != 1 || f (b) < 2) abort();"]);
        assert!(changed("if (a == 1) return; ifx (a == 1) abort(); #if (a == 1) abort();").is_empty());
        assert!(changed("if (a >> 1) abort();").is_empty());
    }

    #[test]
    fn each_check_gives_one_mutant() {
        let text = "if (a < 1)\n abort ();\nif (b > 1)\n abort ();\n";
        let lines: Vec<(usize, String)> = mutants(text).into_iter().map(|m| (m.line, m.change)).collect();
        assert_eq!(lines, [(1, "< becomes >=".to_owned()), (3, "> becomes <=".to_owned())]);
    }
}
