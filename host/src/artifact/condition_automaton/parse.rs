//! The grammar of automata texts. Constructs without a meaning in a condition or a GIA are refused by name.

use super::lex::{Place, Token};
use crate::diagnostic::{Diagnostic, did_you_mean};
use regex::{Regex, RegexBuilder};
use std::sync::Arc;

/// Deeper ones are refused, since they would exhaust the stack.
const DEEPEST_TRIGGER: usize = 100;
/// Bytes of a compiled pattern.
const LARGEST_PATTERN: usize = 1 << 20;

#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub initial: (String, Place),
    pub states: Vec<StateText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Target,
    NonTarget,
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct StateText {
    pub name: String,
    pub place: Place,
    pub kind: Kind,
    /// The first transition that matches is taken, rather than all that do.
    pub use_first: bool,
    pub transitions: Vec<TransitionText>,
    pub invariants: Vec<Expression>,
}

/// C text with the function whose names it uses, where it says so.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub scope: Option<String>,
    pub text: String,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub(super) struct TransitionText {
    pub trigger: Trigger,
    pub place: Place,
    pub assumptions: Vec<Expression>,
    pub target: Goal,
}

#[derive(Clone, Debug)]
pub(super) enum Goal {
    State(String, Place),
    Error,
    /// The run ends: paths beyond this are not covered.
    Stop,
}

#[derive(Clone, Debug)]
pub(super) enum Trigger {
    True,
    False,
    Otherwise,
    Text(String),
    Pattern(String),
    Regex(Arc<Regex>),
    Label(String),
    Call(String),
    FunctionExit(String),
    Entry,
    Exit,
    Assert,
    Not(Box<Trigger>),
    All(Vec<Trigger>),
    Any(Vec<Trigger>),
}

pub(super) struct Parser {
    tokens: Vec<(Token, Place)>,
    at: usize,
}

impl Parser {
    pub fn new(tokens: Vec<(Token, Place)>) -> Self {
        Parser { tokens, at: 0 }
    }

    pub fn automaton(mut self) -> Result<Automaton, Diagnostic> {
        if *self.peek() == Token::End {
            let problem = self.place().problem("the file holds no automaton");
            return Err(problem.help("it begins with `OBSERVER AUTOMATON name`"));
        }
        if self.word_is("OBSERVER") || self.word_is("CONTROL") {
            self.at += 1;
        }
        self.expect_word("AUTOMATON")?;
        self.name("the automaton's name")?;
        if self.word_is("LOCAL") {
            return Err(self.refused("variables of an automaton"));
        }
        self.expect_word("INITIAL")?;
        self.expect_word("STATE")?;
        let place = self.place();
        let initial = (self.name("the name of the initial state")?, place);
        self.expect_symbol(";")?;
        let mut states = Vec::new();
        while !self.word_is("END") {
            states.push(self.state()?);
        }
        self.expect_word("END")?;
        self.expect_word("AUTOMATON")?;
        if *self.peek() != Token::End {
            return Err(self.unexpected("the end of the file").help("give one automaton per file"));
        }
        Ok(Automaton { initial, states })
    }

    fn state(&mut self) -> Result<StateText, Diagnostic> {
        let kind = match self.peek() {
            Token::Word(word) if word == "TARGET" => Kind::Target,
            Token::Word(word) if word == "NON_TARGET" => Kind::NonTarget,
            Token::Word(word) if word == "UNKNOWN" => Kind::Unknown,
            _ => Kind::Plain,
        };
        self.at += usize::from(kind != Kind::Plain);
        if !self.word_is("STATE") {
            return Err(self.unexpected("`STATE name :` or `END AUTOMATON`"));
        }
        self.at += 1;
        let use_first = self.word_is("USEFIRST");
        self.at += usize::from(use_first || self.word_is("USEALL"));
        let place = self.place();
        let name = self.name("the name of a state")?;
        self.expect_symbol(":")?;
        let mut state = StateText { name, place, kind, use_first, transitions: Vec::new(), invariants: Vec::new() };
        loop {
            match self.peek() {
                Token::Word(word) if ["STATE", "TARGET", "NON_TARGET", "UNKNOWN", "END"].contains(&word.as_str()) => {
                    return Ok(state);
                }
                Token::Word(word) if word == "INVARIANT" => {
                    self.at += 1;
                    state.invariants.push(self.expression()?);
                    self.expect_symbol(";")?;
                }
                _ => state.transitions.push(self.transition()?),
            }
        }
    }

    fn transition(&mut self) -> Result<TransitionText, Diagnostic> {
        let place = self.place();
        let trigger = self.trigger(0)?;
        self.expect_symbol("->")?;
        let mut assumptions = Vec::new();
        loop {
            match self.peek().clone() {
                Token::Word(word) if word == "ASSUME" => {
                    self.at += 1;
                    assumptions.push(self.expression()?);
                }
                Token::Word(word) if ["ASSERT", "DO", "PRINT", "MODIFY"].contains(&word.as_str()) => {
                    return Err(self.refused(&format!("`{word}`")));
                }
                _ => break,
            }
        }
        let target = self.goal()?;
        self.expect_symbol(";")?;
        Ok(TransitionText { trigger, place, assumptions, target })
    }

    fn goal(&mut self) -> Result<Goal, Diagnostic> {
        let Token::Word(word) = self.peek().clone() else {
            return Err(self.unexpected("`GOTO state`, `ERROR` or `STOP`"));
        };
        match word.as_str() {
            "GOTO" => {
                self.at += 1;
                let place = self.place();
                Ok(Goal::State(self.name("the name of a state")?, place))
            }
            "ERROR" => {
                self.at += 1;
                if *self.peek() == Token::Symbol("(") {
                    self.at += 1;
                    if let Token::Text(_) = self.peek() {
                        self.at += 1;
                    }
                    self.expect_symbol(")")?;
                }
                Ok(Goal::Error)
            }
            "STOP" => {
                self.at += 1;
                Ok(Goal::Stop)
            }
            "BREAK" => Err(self.refused("`BREAK`")),
            _ => Err(self.unexpected("`GOTO state`, `ERROR` or `STOP`")),
        }
    }

    /// `{e}` or `SCOPE f{e}`.
    fn expression(&mut self) -> Result<Expression, Diagnostic> {
        let mut scope = None;
        if self.word_is("SCOPE") {
            self.at += 1;
            scope = Some(self.name("the name of a function")?);
        }
        let place = self.place();
        match self.next() {
            Token::Curly(text) if !text.trim().trim_matches(';').trim().is_empty() => {
                Ok(Expression { scope, text: text.trim().to_string(), place })
            }
            _ => Err(place.problem("expected a C expression in braces").help("write for example `{x > 0}`")),
        }
    }

    /// `a || b && !c`
    fn trigger(&mut self, depth: usize) -> Result<Trigger, Diagnostic> {
        if depth > DEEPEST_TRIGGER {
            return Err(self
                .place()
                .problem("this trigger is nested too deeply")
                .help("write it with less parentheses"));
        }
        let mut some = vec![self.conjunction(depth)?];
        while *self.peek() == Token::Symbol("||") {
            self.at += 1;
            some.push(self.conjunction(depth)?);
        }
        Ok(single(some, Trigger::Any))
    }

    fn conjunction(&mut self, depth: usize) -> Result<Trigger, Diagnostic> {
        let mut all = vec![self.simple_trigger(depth)?];
        while *self.peek() == Token::Symbol("&&") {
            self.at += 1;
            all.push(self.simple_trigger(depth)?);
        }
        Ok(single(all, Trigger::All))
    }

    fn simple_trigger(&mut self, depth: usize) -> Result<Trigger, Diagnostic> {
        let expected = "a trigger (`MATCH …`, `TRUE`, `FALSE`, `!`) or `INVARIANT`";
        let word = match self.peek().clone() {
            Token::Symbol("!") => {
                self.at += 1;
                let negated = self.simple_trigger_within(depth + 1)?;
                return Ok(Trigger::Not(Box::new(negated)));
            }
            Token::Symbol("(") => {
                self.at += 1;
                let inner = self.trigger(depth + 1)?;
                self.expect_symbol(")")?;
                return Ok(inner);
            }
            Token::Word(word) => word,
            _ => return Err(self.unexpected(expected)),
        };
        match word.as_str() {
            "TRUE" | "true" => self.advance(Trigger::True),
            "FALSE" | "false" => self.advance(Trigger::False),
            "MATCH" => {
                self.at += 1;
                self.matched()
            }
            "CHECK" | "EVAL" | "PRINT" => Err(self.refused(&format!("`{word}`"))),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn simple_trigger_within(&mut self, depth: usize) -> Result<Trigger, Diagnostic> {
        if depth > DEEPEST_TRIGGER {
            return Err(self.place().problem("this trigger is nested too deeply").help("write it with less `!`"));
        }
        self.simple_trigger(depth)
    }

    fn advance(&mut self, trigger: Trigger) -> Result<Trigger, Diagnostic> {
        self.at += 1;
        Ok(trigger)
    }

    fn matched(&mut self) -> Result<Trigger, Diagnostic> {
        let place = self.place();
        let expected = "`\"text\"`, `{pattern}`, `[regular expression]`, LABEL, FUNCTIONCALL, FUNCTIONEXIT, ENTRY, EXIT, \
                        ASSERT or OTHERWISE";
        match self.next() {
            Token::Text(text) => Ok(Trigger::Text(text)),
            Token::Curly(pattern) => Ok(Trigger::Pattern(pattern)),
            Token::Square(pattern) => regex(&pattern, &place).map(|regex| Trigger::Regex(Arc::new(regex))),
            Token::Word(word) => match word.as_str() {
                "LABEL" => self.quoted_name("the name of a label").map(Trigger::Label),
                "FUNCTIONCALL" => self.quoted_name("the name of a function").map(Trigger::Call),
                "FUNCTIONEXIT" => self.quoted_name("the name of a function").map(Trigger::FunctionExit),
                "ENTRY" => Ok(Trigger::Entry),
                "EXIT" => Ok(Trigger::Exit),
                "ASSERT" => Ok(Trigger::Assert),
                "OTHERWISE" => Ok(Trigger::Otherwise),
                other => {
                    let known = ["LABEL", "FUNCTIONCALL", "FUNCTIONEXIT", "ENTRY", "EXIT", "ASSERT", "OTHERWISE"];
                    let problem = place.problem(format!("`MATCH {other}` is not known"));
                    Err(match did_you_mean(other, known) {
                        Some(near) => problem.help(format!("did you mean `{near}`?")),
                        None => problem.help(format!("after MATCH stands {expected}")),
                    })
                }
            },
            _ => Err(place.problem(format!("expected {expected}")).help("this is what can be matched")),
        }
    }

    fn quoted_name(&mut self, what: &str) -> Result<String, Diagnostic> {
        let place = self.place();
        match self.next() {
            Token::Text(name) | Token::Word(name) => Ok(name),
            _ => Err(place.problem(format!("expected {what} in quotes")).help("write for example `\"main\"`")),
        }
    }

    fn name(&mut self, what: &str) -> Result<String, Diagnostic> {
        match self.peek().clone() {
            Token::Word(name) => {
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    fn place(&self) -> Place {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        self.tokens.get(at).map_or(Place { file: "".into(), line: 1, column: 1 }, |(_, place)| place.clone())
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn word_is(&self, wanted: &str) -> bool {
        matches!(self.peek(), Token::Word(word) if word == wanted)
    }

    fn expect_word(&mut self, wanted: &str) -> Result<(), Diagnostic> {
        if self.word_is(wanted) {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected(&format!("`{wanted}`")))
    }

    fn expect_symbol(&mut self, wanted: &'static str) -> Result<(), Diagnostic> {
        if *self.peek() == Token::Symbol(wanted) {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected(&format!("`{wanted}`")))
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match self.peek() {
            Token::Word(word) => format!("`{word}`"),
            Token::Text(text) => format!("the text \"{}\"", text.escape_debug()),
            Token::Curly(text) => format!("`{{{text}}}`"),
            Token::Square(text) => format!("`[{text}]`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end of the file".to_string(),
        };
        let problem = self.place().problem(format!("expected {expected}, found {found}"));
        if *self.peek() == Token::End { problem.help("is the file cut off?") } else { problem.help(EXAMPLE) }
    }

    fn refused(&self, what: &str) -> Diagnostic {
        let message = format!("{what} cannot be read: it has no meaning in a condition or a GIA");
        self.place().problem(message).help("only MATCH, TRUE, FALSE, ASSUME, GOTO, ERROR, STOP and INVARIANT do")
    }
}

const EXAMPLE: &str =
    "a state is `STATE USEFIRST name :`, a transition `MATCH \"[x > 0]\" -> ASSUME {y == 1} GOTO name;`";

fn single(mut triggers: Vec<Trigger>, join: fn(Vec<Trigger>) -> Trigger) -> Trigger {
    match triggers.len() {
        1 => triggers.remove(0),
        _ => join(triggers),
    }
}

/// Matches whole texts, as Java's `matches` does.
fn regex(pattern: &str, place: &Place) -> Result<Regex, Diagnostic> {
    RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(LARGEST_PATTERN).build().map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim().to_string();
        place.problem(format!("the regular expression cannot be used: {last}")).help("write a simpler one")
    })
}
