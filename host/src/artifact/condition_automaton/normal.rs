//! One form for C texts that differ only in blanks and in parentheses that change nothing, so that they can be compared.

/// The normal form of an edge's text: `[n<0]` and `[(n < 0)]` have the same, and so have `[!(x)]` and `[x == 0]`.
pub(super) fn normal_form(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    match inner.and_then(|inner| parse(&tokens(inner))) {
        Some(term) => assumption(term),
        None => statement(text.strip_suffix(';').unwrap_or(text).trim()),
    }
}

/// An assumption is a condition and whether it holds.
fn assumption(mut term: Term) -> String {
    let mut holds = true;
    loop {
        term = match term.shape {
            Shape::Not(inner) => {
                holds = !holds;
                *inner
            }
            Shape::IsZero(inner) => {
                holds = !holds;
                *inner
            }
            Shape::IsNotZero(inner) => *inner,
            Shape::Other => return format!("[{}{}]", if holds { "" } else { "!" }, term.text),
        };
    }
}

fn statement(text: &str) -> String {
    let words = tokens(text);
    if let ["return", value @ ..] = words.as_slice() {
        return parse(value).map_or_else(|| words.join(" "), |term| format!("return {}", term.text));
    }
    if let Some(term) = parse(&words) {
        return term.text;
    }
    // A declaration with a value.
    if let Some(at) = words.iter().position(|word| *word == "=")
        && let Some(term) = parse(&words[at + 1..])
    {
        return format!("{} = {}", words[..at].join(" "), term.text);
    }
    words.join(" ")
}

const OPERATORS: [&str; 25] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "$?", "##", "::",
];

/// Words, numbers, literals and operators.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            operator.len()
        } else if is_word(first) || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            let numeric = first.is_ascii_digit() || first == '.';
            rest.find(|c| !(is_word(c) || numeric && c == '.')).unwrap_or(rest.len())
        } else if first == '"' || first == '\'' {
            literal_length(rest, first)
        } else {
            first.len_utf8()
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub(super) const TYPE_WORDS: [&str; 17] = [
    "int", "char", "unsigned", "signed", "long", "short", "float", "double", "void", "_Bool", "struct", "union",
    "enum", "const", "volatile", "__int128", "_Complex",
];

/// An expression with every operation in parentheses.
#[derive(Debug)]
struct Term {
    text: String,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Not(Box<Term>),
    IsZero(Box<Term>),
    IsNotZero(Box<Term>),
    Other,
}

impl Term {
    fn other(text: String) -> Term {
        Term { text, shape: Shape::Other }
    }
}

/// The whole as one expression, if it is one.
fn parse(tokens: &[&str]) -> Option<Term> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let term = parser.expression(0)?;
    (parser.at == tokens.len()).then_some(term)
}

struct Parser<'t> {
    tokens: &'t [&'t str],
    at: usize,
    depth: u32,
}

/// Deeper expressions stay as they are.
const DEEPEST: u32 = 150;
const UNARY: u8 = 28;

/// How tightly an operator binds its left and right side.
fn binding(operator: &str) -> Option<(u8, u8)> {
    Some(match operator {
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => (2, 1),
        "?" => (4, 3),
        "||" => (5, 6),
        "&&" => (7, 8),
        "|" => (9, 10),
        "^" => (11, 12),
        "&" => (13, 14),
        "==" | "!=" => (15, 16),
        "<" | ">" | "<=" | ">=" => (17, 18),
        "<<" | ">>" => (19, 20),
        "+" | "-" => (21, 22),
        "*" | "/" | "%" => (23, 24),
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn expect(&mut self, wanted: &str) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn expression(&mut self, least: u8) -> Option<Term> {
        self.depth += 1;
        let result = if self.depth > DEEPEST { None } else { self.expression_within(least) };
        self.depth -= 1;
        result
    }

    fn expression_within(&mut self, least: u8) -> Option<Term> {
        let mut left = self.prefix()?;
        while let Some(operator) = self.peek() {
            let Some((left_binding, right_binding)) = binding(operator) else { break };
            if left_binding < least {
                break;
            }
            self.at += 1;
            if operator == "?" {
                let middle = self.expression(0)?;
                self.expect(":")?;
                let right = self.expression(right_binding)?;
                left = Term::other(format!("({}?{}:{})", left.text, middle.text, right.text));
                continue;
            }
            let right = self.expression(right_binding)?;
            let text = format!("({}{operator}{})", left.text, right.text);
            let shape = match operator {
                "==" if right.text == "0" => Shape::IsZero(Box::new(left)),
                "!=" if right.text == "0" => Shape::IsNotZero(Box::new(left)),
                _ => Shape::Other,
            };
            left = Term { text, shape };
        }
        Some(left)
    }

    fn prefix(&mut self) -> Option<Term> {
        let token = self.peek()?;
        self.at += 1;
        match token {
            "!" | "-" | "+" | "~" | "*" | "&" | "++" | "--" => {
                let inner = self.expression(UNARY)?;
                let text = format!("({token}{})", inner.text);
                Some(if token == "!" { Term { text, shape: Shape::Not(Box::new(inner)) } } else { Term::other(text) })
            }
            "(" if self.peek().is_some_and(|next| TYPE_WORDS.contains(&next)) => {
                let ty = self.type_name()?;
                let inner = self.expression(UNARY)?;
                Some(Term::other(format!("(({ty}){})", inner.text)))
            }
            "(" => {
                let inner = self.expression(0)?;
                self.expect(")")?;
                self.postfix(inner)
            }
            word if word.starts_with(|c: char| c.is_alphanumeric() || "_$\"'.".contains(c)) => {
                self.postfix(Term::other(word.to_string()))
            }
            _ => None,
        }
    }

    /// Up to the parenthesis that closes it.
    fn type_name(&mut self) -> Option<String> {
        let start = self.at;
        let mut open = 1;
        while open > 0 {
            match self.peek()? {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Some(self.tokens[start..self.at - 1].join(" "))
    }

    fn postfix(&mut self, mut term: Term) -> Option<Term> {
        while let Some(token) = self.peek() {
            let text = match token {
                "(" => format!("{}({})", term.text, self.list(")")?),
                "[" => format!("{}[{}]", term.text, self.list("]")?),
                "." | "->" => {
                    self.at += 1;
                    let member = self.peek()?;
                    self.at += 1;
                    format!("{}{token}{member}", term.text)
                }
                "++" | "--" => {
                    self.at += 1;
                    format!("({}{token})", term.text)
                }
                _ => break,
            };
            term = Term::other(text);
        }
        Some(term)
    }

    fn list(&mut self, end: &str) -> Option<String> {
        self.at += 1;
        let mut items = Vec::new();
        while self.peek()? != end {
            items.push(self.expression(0)?.text);
            if self.peek()? == "," {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(items.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::normal_form;

    #[test]
    fn what_means_the_same_has_one_form() {
        for same in [
            &["[n < 0]", "[(n<0)]", "[ ((n) < (0)) ]"][..],
            &["[!(n < 0)]", "[! (n<0)]", "[!((n < 0))]"],
            &["[x]", "[x != 0]", "[!(x == 0)]", "[!(!(x))]"],
            &["[!(x)]", "[x == 0]", "[!(x != 0)]"],
            &["x = y + 1;", "x=(y+1)", "x = (y) + 1 ;"],
            &["f(a, b+1);", "f(a,(b + 1))"],
            &["return x - 1;", "return (x-1)"],
            &["int n = f();", "int  n=f()"],
            &["[(a && b) || c]", "[a && b || c]"],
            &["p->x = *q;", "(p)->x = (*q)"],
            &["x = (unsigned int)y;", "x = ( unsigned int ) (y);"],
        ] {
            for text in same {
                assert_eq!(normal_form(text), normal_form(same[0]), "{text}");
            }
        }
    }

    #[test]
    fn what_differs_stays_different() {
        let texts = [
            "[a - (b - c)]",
            "[a - b - c]",
            "[(a + b) * c]",
            "[a + b * c]",
            "[x]",
            "[!(x)]",
            "[x == 1]",
            "x == 1;",
            "x = 1;",
            "int x = 1;",
            "",
            "\"a b\"",
            "\"a  b\"",
            "f(a, b);",
            "f(b, a);",
            "[!x + 1]",
            "return;",
            "return 1;",
            "- - x;",
            "--x;",
            "x = 'a';",
            "x = ' a';",
            "[x",
            "((((",
            "(a ? b : c) ? d : e",
            "a ? b : (c ? d : e)",
        ];
        for (at, left) in texts.iter().enumerate() {
            for right in &texts[at + 1..] {
                assert_ne!(normal_form(left), normal_form(right), "{left} and {right}");
            }
        }
        let _ = normal_form(&"(".repeat(100_000));
        let _ = normal_form(&"!".repeat(100_000));
    }
}
