//! `#pragma pack` as gcc reads it (`c-pragma.c`): the limit on members' alignment after it.

/// The current limit, and the stack of earlier ones.
#[derive(Default)]
pub struct State {
    now: Option<u32>,
    /// The limit that was in force before the first `push`.
    outside: Option<u32>,
    /// Names, and the last limit that was set since each `push`.
    stack: Vec<(Option<String>, Option<u32>)>,
}

impl State {
    /// Follows the text from the opening parenthesis on. The new alignment, if there is one; `None` where gcc ignores the pragma,
    /// or might read something else.
    pub fn follow(&mut self, list: &str) -> Option<Option<u32>> {
        let (inside, _) = list.strip_prefix('(')?.split_once(')')?;
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        match words.as_slice() {
            [""] => self.set(None),
            [number] if number.starts_with(|c: char| c.is_ascii_digit()) => self.set(alignment(number)?),
            ["push", rest @ ..] => self.push(rest)?,
            ["pop"] => self.pop(None)?,
            ["pop", name] if is_name(name) => self.pop(Some(name))?,
            _ => return None,
        }
        Some(self.now)
    }

    /// Sets the limit at the top of the stack.
    fn set(&mut self, bytes: Option<u32>) {
        self.now = bytes;
        *self.stack.last_mut().map_or(&mut self.outside, |(_, top)| top) = bytes;
    }

    fn push(&mut self, rest: &[&str]) -> Option<()> {
        let (mut name, mut bytes) = (None, None);
        for word in rest {
            match word {
                word if is_name(word) && name.is_none() => name = Some((*word).to_owned()),
                number if bytes.is_none() => bytes = Some(alignment(number)?),
                _ => return None,
            }
        }
        if self.stack.is_empty() {
            self.outside = self.now;
        }
        self.now = bytes.unwrap_or(self.now);
        self.stack.push((name, self.now));
        Some(())
    }

    /// Takes limits off the stack, so that an earlier one is in force again.
    fn pop(&mut self, name: Option<&str>) -> Option<()> {
        if let Some(name) = name {
            let at = self.stack.iter().rposition(|(known, _)| known.as_deref() == Some(name))?;
            self.stack.truncate(at + 1);
        }
        self.stack.pop()?;
        self.now = self.stack.last().map_or(self.outside, |(_, bytes)| *bytes);
        Some(())
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A small power of two; zero is the usual alignment.
fn alignment(number: &str) -> Option<Option<u32>> {
    let digits = number.trim_end_matches(['u', 'U', 'l', 'L']);
    let bytes = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None if digits.starts_with('0') && digits.len() > 1 => u32::from_str_radix(&digits[1..], 8).ok()?,
        None => digits.parse().ok()?,
    };
    match bytes {
        0 => Some(None),
        1 | 2 | 4 | 8 | 16 => Some(Some(bytes)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(pragmas: &[&str]) -> Vec<Option<Option<u32>>> {
        let mut state = State::default();
        pragmas.iter().map(|pragma| state.follow(pragma)).collect()
    }

    #[test]
    fn values_are_read_as_c_numbers() {
        assert_eq!(
            after(&["(1)", "(0x2)", "(4u) junk", "(010)", "(0)", "()"]),
            [Some(Some(1)), Some(Some(2)), Some(Some(4)), Some(Some(8)), Some(None), Some(None)]
        );
        assert_eq!(after(&["(3)", "(32)", "(N)", "(1", "(1, 2)"]), [None; 5]);
    }

    #[test]
    fn the_stack_has_names_and_a_bottom() {
        assert_eq!(after(&["(1)", "(pop)", "(push,2)", "(pop)"]), [Some(Some(1)), None, Some(Some(2)), Some(Some(1))]);
        let named = after(&["(push,foo,8)", "(push,1)", "(push, 2)", "(pop, foo)"]);
        assert_eq!(named[3], Some(None));
        assert_eq!(after(&["(push, 1)", "(4)", "(push, 2)", "(pop)"])[3], Some(Some(4)));
        assert_eq!(after(&["(push)", "(1)", "(push)", "(2)", "(pop)", "(pop)"])[4..], [Some(Some(1)), Some(None)]);
    }
}
