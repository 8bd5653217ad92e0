//! Reads Spacer's meanings of the relations: a conjunction of `forall x. r(x) = condition`, as SMT-LIB text. Parts that
//! are not understood are left out, since users of a meaning check it anyway.

use super::clauses::relation_name;
use rustc_hash::FxHashMap;
use tandem_plugin_api::service::horn::*;

/// Terms may be nested so deeply.
const MOST_DEPTH: usize = 20_000;

/// Text in parentheses.
#[derive(Debug)]
enum Tree<'a> {
    Word(&'a str),
    List(Vec<Tree<'a>>),
}

fn tree(text: &str) -> Option<Tree<'_>> {
    let mut open: Vec<Vec<Tree>> = vec![Vec::new()];
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
            }
            ')' => {
                let list = open.pop()?;
                open.last_mut()?.push(Tree::List(list));
                rest = &rest[1..];
            }
            '|' => {
                let end = rest[1..].find('|')? + 1;
                open.last_mut()?.push(Tree::Word(&rest[1..end]));
                rest = &rest[end + 1..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
                open.last_mut()?.push(Tree::Word(&rest[..end]));
                rest = &rest[end..];
            }
        }
        if open.len() > MOST_DEPTH {
            return None;
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(mut roots), true) if roots.len() == 1 => roots.pop(),
        _ => None,
    }
}

/// The meanings of all relations, by what the solver says.
pub fn meanings(text: &str, relations: usize) -> HornAnswer {
    let mut reader = Reader { nodes: Vec::new(), known: FxHashMap::default(), names: FxHashMap::default() };
    let mut found = vec![Vec::new(); relations];
    let Some(root) = tree(text) else { return HornAnswer::Unknown("the solver's answer is not a formula".into()) };
    let mut open = vec![&root];
    while let Some(part) = open.pop() {
        match part {
            Tree::List(list) if matches!(list.first(), Some(Tree::Word("and"))) => open.extend(&list[1..]),
            _ => {
                if let Some((relation, conditions)) = reader.definition(part)
                    && let Some(place) = found.get_mut(relation)
                {
                    *place = conditions;
                }
            }
        }
    }
    HornAnswer::Unreachable { nodes: reader.nodes, meanings: found }
}

struct Reader<'a> {
    nodes: Vec<HornNode>,
    known: FxHashMap<HornNode, HornTerm>,
    /// The terms that names stand for: arguments, and names of `let`.
    names: FxHashMap<&'a str, HornTerm>,
}

impl<'a> Reader<'a> {
    fn make(&mut self, node: HornNode) -> HornTerm {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let term = HornTerm(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.known.insert(node, term);
        term
    }

    /// `forall x. r(x) = condition`, perhaps with annotations around it.
    fn definition(&mut self, part: &'a Tree<'a>) -> Option<(usize, Vec<HornTerm>)> {
        let Tree::List(list) = part else { return None };
        match list.as_slice() {
            [Tree::Word("forall"), _, body] | [Tree::Word("!"), body, ..] => self.definition(body),
            [Tree::Word("=" | "=>"), Tree::List(atom), meaning] => {
                let (Tree::Word(name), arguments) = atom.split_first()? else { return None };
                let relation: usize = name.strip_prefix('r')?.parse().ok()?;
                if *name != relation_name(relation) {
                    return None;
                }
                self.names.clear();
                for (at, argument) in arguments.iter().enumerate() {
                    let Tree::Word(argument) = argument else { return None };
                    let variable = self.make(HornNode::Variable(at as u32));
                    self.names.insert(argument, variable);
                }
                let mut conditions = Vec::new();
                self.conjuncts(meaning, &mut conditions);
                Some((relation, conditions))
            }
            _ => None,
        }
    }

    /// The parts of a conjunction, as far as they are understood.
    fn conjuncts(&mut self, part: &'a Tree<'a>, found: &mut Vec<HornTerm>) {
        if let Tree::List(list) = part {
            match list.as_slice() {
                [Tree::Word("and"), parts @ ..] => {
                    for part in parts {
                        self.conjuncts(part, found);
                    }
                    return;
                }
                [Tree::Word("let"), Tree::List(bindings), body] => {
                    // Names of a `let` are not used again by Z3's printer; one that is not understood stays unknown.
                    self.bind(bindings);
                    self.conjuncts(body, found);
                    return;
                }
                _ => {}
            }
        }
        if let Some(term) = self.term(part)
            && self.is_condition(term)
        {
            found.extend(self.flat(term));
        }
    }

    /// The parts of a conjunction that a name stands for.
    fn flat(&self, term: HornTerm) -> Vec<HornTerm> {
        match &self.nodes[term.index()] {
            HornNode::And(list) => list.iter().flat_map(|&part| self.flat(part)).collect(),
            _ => vec![term],
        }
    }

    fn bind(&mut self, bindings: &'a [Tree<'a>]) {
        let mut new = Vec::new();
        for binding in bindings {
            if let Tree::List(pair) = binding
                && let [Tree::Word(name), value] = pair.as_slice()
            {
                new.push((*name, self.term(value)));
            }
        }
        for (name, value) in new {
            match value {
                Some(value) => self.names.insert(name, value),
                None => self.names.remove(name),
            };
        }
    }

    fn is_condition(&self, term: HornTerm) -> bool {
        self.nodes[term.index()].is_condition()
    }

    fn term(&mut self, part: &'a Tree<'a>) -> Option<HornTerm> {
        match part {
            Tree::Word("true") => Some(self.make(HornNode::Truth(true))),
            Tree::Word("false") => Some(self.make(HornNode::Truth(false))),
            Tree::Word(word) => match self.names.get(word) {
                Some(&known) => Some(known),
                None => {
                    let value: i128 = word.parse().ok()?;
                    Some(self.make(HornNode::Integer(value)))
                }
            },
            Tree::List(list) => {
                let (Tree::Word(operator), operands) = list.split_first()? else { return None };
                if let ("let", [Tree::List(bindings), body]) = (*operator, operands) {
                    self.bind(bindings);
                    return self.term(body);
                }
                if let ("!", [body, ..]) = (*operator, operands) {
                    return self.term(body);
                }
                let operands = operands.iter().map(|part| self.term(part)).collect::<Option<Vec<_>>>()?;
                self.apply(operator, &operands)
            }
        }
    }

    fn apply(&mut self, operator: &str, operands: &[HornTerm]) -> Option<HornTerm> {
        let logical = match operator {
            "and" | "or" | "not" | "=>" => true,
            "=" => operands.iter().all(|&term| self.is_condition(term)),
            _ => false,
        };
        let conditions = if operator == "ite" { 1 } else { operands.len() * usize::from(logical) };
        let fits = operands.iter().enumerate().all(|(at, &term)| self.is_condition(term) == (at < conditions));
        if !fits {
            return self.logical_choice(operator, operands);
        }
        let node = match (operator, operands) {
            ("and", _) => HornNode::And(operands.to_vec()),
            ("or", _) => HornNode::Or(operands.to_vec()),
            ("not", [a]) => HornNode::Not(*a),
            ("=>", [a, b]) => HornNode::Or(vec![self.make(HornNode::Not(*a)), *b]),
            ("=", [a, b]) if logical => return Some(self.equivalence(*a, *b)),
            ("=", [a, b]) => HornNode::Equal(*a, *b),
            ("<=", [a, b]) | (">=", [b, a]) => HornNode::Le(*a, *b),
            (">", [a, b]) | ("<", [b, a]) => {
                let le = self.make(HornNode::Le(*a, *b));
                HornNode::Not(le)
            }
            ("+", _) => HornNode::Add(operands.to_vec()),
            ("-", [a]) => return Some(self.negate(*a)),
            ("-", [first, rest @ ..]) => {
                let mut list = vec![*first];
                list.extend(rest.iter().map(|&term| self.negate(term)).collect::<Vec<_>>());
                HornNode::Add(list)
            }
            ("*", [first, rest @ ..]) => {
                let mut product = *first;
                for &factor in rest {
                    product = self.make(HornNode::Mul(product, factor));
                }
                return Some(product);
            }
            ("div", [a, b]) => HornNode::Div(*a, *b),
            ("mod", [a, b]) => HornNode::Mod(*a, *b),
            ("ite", [c, a, b]) => HornNode::Ite(*c, *a, *b),
            _ => return None,
        };
        Some(self.make(node))
    }

    /// `ite` between conditions.
    fn logical_choice(&mut self, operator: &str, operands: &[HornTerm]) -> Option<HornTerm> {
        let ("ite", [c, a, b]) = (operator, operands) else { return None };
        if ![c, a, b].iter().all(|&&term| self.is_condition(term)) {
            return None;
        }
        let not = self.make(HornNode::Not(*c));
        let (then, otherwise) = (self.make(HornNode::Or(vec![not, *a])), self.make(HornNode::Or(vec![*c, *b])));
        Some(self.make(HornNode::And(vec![then, otherwise])))
    }

    fn equivalence(&mut self, a: HornTerm, b: HornTerm) -> HornTerm {
        let (not_a, not_b) = (self.make(HornNode::Not(a)), self.make(HornNode::Not(b)));
        let (there, back) = (self.make(HornNode::Or(vec![not_a, b])), self.make(HornNode::Or(vec![not_b, a])));
        self.make(HornNode::And(vec![there, back]))
    }

    fn negate(&mut self, term: HornTerm) -> HornTerm {
        match self.nodes[term.index()] {
            HornNode::Integer(value) if value != i128::MIN => self.make(HornNode::Integer(-value)),
            _ => {
                let minus = self.make(HornNode::Integer(-1));
                self.make(HornNode::Mul(minus, term))
            }
        }
    }
}
