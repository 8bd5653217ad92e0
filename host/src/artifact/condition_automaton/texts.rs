//! The texts by which automata name edges: CPAchecker's texts, as near as our edges come to its edges.

use super::normal::{TYPE_WORDS, normal_form, tokens};
use rustc_hash::FxHashMap;
use tandem_plugin_api::program::print_c::declaration;
use tandem_plugin_api::program::{EdgeId, ExprId, ExprKind, Op, Program};

/// All texts of a program's edges.
pub(super) struct Texts {
    by_normal_form: FxHashMap<String, Vec<EdgeId>>,
    /// By edge, as they are printed.
    texts: Vec<Vec<String>>,
}

impl Texts {
    pub fn of(program: &Program) -> Self {
        let texts: Vec<Vec<String>> = program.edge_ids().map(|edge| alternatives(program, edge)).collect();
        let mut by_normal_form: FxHashMap<String, Vec<EdgeId>> = FxHashMap::default();
        for (edge, alternatives) in texts.iter().enumerate() {
            for text in alternatives {
                let edges = by_normal_form.entry(normal_form(text)).or_default();
                if edges.last() != Some(&EdgeId::new(edge)) {
                    edges.push(EdgeId::new(edge));
                }
            }
        }
        Texts { by_normal_form, texts }
    }

    /// In ascending order.
    pub fn edges(&self, text: &str) -> &[EdgeId] {
        self.by_normal_form.get(&normal_form(text)).map_or(&[], Vec::as_slice)
    }

    pub fn matching(&self, wanted: impl Fn(&str) -> bool) -> Vec<EdgeId> {
        let some = |texts: &Vec<String>| texts.iter().any(|text| wanted(text));
        let edges = self.texts.iter().enumerate().filter(|(_, texts)| some(texts));
        edges.map(|(edge, _)| EdgeId::new(edge)).collect()
    }

    /// One text per edge, for messages.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().filter_map(|texts| texts.first()).map(String::as_str)
    }
}

/// The same edge can have several texts: a value that a declaration gives is an assignment of ours.
fn alternatives(program: &Program, edge: EdgeId) -> Vec<String> {
    let text = program.edge_text(edge);
    let with_result = |result: Option<ExprId>| result.map(|result| format!("{} = {text};", program.expr_to_c(result)));
    let (assignment, target) = match program.edge(edge).op {
        Op::Call(site) => {
            let result = program.call_site(site).result;
            (with_result(result), result)
        }
        Op::External(site) => (Some(text.clone()), program.call_site(site).result),
        Op::Input { target, .. } => (Some(text.clone()), target),
        Op::Assign { target, .. } => (Some(text.clone()), Some(target)),
        _ => (None, None),
    };
    let declared = match (assignment.as_deref(), target.map(|target| program.exprs.kind(target))) {
        (Some(assignment), Some(ExprKind::Var(variable))) => {
            let variable = program.variable(variable);
            let value = assignment.strip_prefix(&format!("{} = ", variable.name));
            value.map(|value| format!("{} = {value}", declaration(program, variable.ty, &variable.name)))
        }
        _ => None,
    };
    let mut all = vec![text];
    all.extend(assignment.into_iter().chain(declared));
    all.dedup();
    all
}

/// Whether an edge of CPAchecker with this text does nothing that an edge of ours stands for.
pub(super) fn is_silent(text: &str) -> bool {
    let words = tokens(text.trim());
    let whole = words.join(" ");
    let blank = ["", "Function start dummy edge", "INIT GLOBAL VARS", "default return", "skip", "while", "for", "do"];
    if blank.contains(&whole.as_str()) || whole.starts_with("Goto :") || whole.starts_with("Label :") {
        return true;
    }
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    match words.as_slice() {
        ["return" | "Return" | "goto" | "else" | "case" | "sizeof", ..] => false,
        [first, ..] if TYPE_WORDS.contains(first) || ["extern", "static", "typedef"].contains(first) => true,
        [first, second, ..] => is_name(first) && is_name(second),
        _ => false,
    }
}

/// Whether a text fits a pattern in which `$?` and `$1` stand for anything balanced.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (strip(pattern), strip(text));
    let (pattern, text) = (tokens(pattern), tokens(text));
    // For each position of the pattern, the positions of the text that can be reached.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for wanted in pattern {
        let mut next = vec![false; text.len() + 1];
        for at in (0..text.len()).filter(|at| reached[*at]) {
            if wanted.starts_with('$') {
                balanced_ends(&text, at).for_each(|end| next[end] = true);
            } else if text[at] == wanted {
                next[at + 1] = true;
            }
        }
        reached = next;
    }
    reached[text.len()]
}

fn strip(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix(';').unwrap_or(text)
}

/// Where a nonempty run of tokens that begins at `at` can end with all its parentheses closed.
fn balanced_ends<'t>(text: &'t [&'t str], at: usize) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0i32;
    let run = text[at..].iter().enumerate().map_while(move |(offset, token)| {
        depth += i32::from(["(", "[", "{"].contains(token)) - i32::from([")", "]", "}"].contains(token));
        (depth >= 0 && *token != ";").then_some((offset, depth))
    });
    run.filter(|(_, depth)| *depth == 0).map(move |(offset, _)| at + offset + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silent_are_blanks_and_declarations() {
        for text in
            ["", " ", "int i;", "unsigned long x = 3;", "Goto: L", "Label: end", "struct s *p;", "T x;", "void f(int);"]
        {
            assert!(is_silent(text), "{text}");
        }
        for text in ["i = 0;", "[i < 3]", "f(x);", "return x;", "Return edge from f to main", "x;", "*p = 3;"] {
            assert!(!is_silent(text), "{text}");
        }
    }

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("x = $?;", "x = f(a, b) + 1;"),
            ("f($1)", "f(a, (b))"),
            ("$1 = $2", "a[i] = 3;"),
            ("[$? < 3]", "[x+1 < 3]"),
        ] {
            assert!(fits(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("x = $?", "y = 1;"), ("f($?)", "f()"), ("f($?)", "f(a) + g(b)"), ("$?", "")] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
        assert!(fits("$? + ".repeat(200).trim_end_matches(" + "), "x + ".repeat(200).trim_end_matches(" + ")));
    }
}
