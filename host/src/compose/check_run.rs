//! Checks the `[run]` table of a configuration: a tree of combinators with actors as leaves.

use super::check::{Available, choose_plugins, configure, read_isolation};
use super::config::{Run, Step};
use super::document::{Entry, Node, Place, Table, Value};
use super::schema::{Fields, Problems, read_table};
use tandem_plugin_api::descriptor::PluginKind;

/// Makes a part of a composition of its steps.
type Combinator = fn(Vec<Step>) -> Run;

const COMBINATORS: [(&str, Combinator); 3] =
    [("sequence", Run::Sequence), ("race", Run::Race), ("parallel", Run::Parallel)];
/// Combinators of the design that no version runs yet.
const LATER: [&str; 3] = ["cycle", "delegate", "ranged"];
/// Deeper trees are no configuration that somebody wrote.
const MAX_DEPTH: u32 = 32;

/// What runs, by the names of the actors that there are.
pub fn check_run(
    problems: &mut Problems<'_>,
    entry: Option<&Entry>,
    actors: &[&str],
    available: &Available<'_>,
    start: Place,
) -> Option<Run> {
    let Some(entry) = entry else {
        return match actors {
            [] => None,
            [name] => Some(Run::Actor(name.to_string())),
            _ => {
                let help = "say what they do: [run] actor = \"NAME\", or sequence = [\"NAME\", …], or race = […]";
                problems.report_with_help(start, "there are several actors, and no [run] says what to do", help);
                None
            }
        };
    };
    let table = read_table(problems, "run", &entry.node)?;
    let step = Reader { problems, actors, available }.step("[run]", table, entry.key_place, 0)?;
    Some(step.into_run())
}

struct Reader<'a, 's> {
    problems: &'a mut Problems<'s>,
    actors: &'a [&'a str],
    available: &'a Available<'a>,
}

impl Reader<'_, '_> {
    /// A table with one combinator or actor, and its limits.
    fn step(&mut self, owner: &str, table: &Table, place: Place, depth: u32) -> Option<Step> {
        if depth > MAX_DEPTH {
            self.problems.report(place, "the composition is nested too deep");
            return None;
        }
        let mut fields = Fields::new(owner, table);
        let actor = fields.text(self.problems, "actor");
        let parts: Vec<_> = COMBINATORS.iter().filter_map(|(key, make)| Some((fields.take(key)?, make))).collect();
        let reduced = self.reduced(&mut fields, depth);
        let limit = fields.duration(self.problems, "limit");
        let share = fields.integer(self.problems, "share", 1..=100).and_then(|share| u32::try_from(share).ok());
        let mut refused = false;
        for combinator in LATER {
            if let Some(entry) = fields.take_unlisted(combinator) {
                let message = format!("`{combinator}` is not available in this version");
                let known = COMBINATORS.map(|(name, _)| name).join(", ");
                self.problems.report_with_help(entry.key_place, message, format!("there are {known}"));
                refused = true;
            }
        }
        fields.finish(self.problems);
        let run = match (actor, &parts[..], reduced) {
            (Some((name, place)), [], None) => self.actor(name, place)?,
            (None, [(entry, make)], None) => make(self.steps(entry, depth)?),
            (None, [], Some(reduced)) => reduced?,
            (None, [], None) => {
                if table.entries.is_empty() {
                    let help = "write actor = \"NAME\", or sequence = [\"NAME\", …]";
                    self.problems.report_with_help(place, format!("{owner} does not say what runs"), help);
                } else if !refused && table.entries.iter().all(|entry| ["limit", "share"].contains(&&*entry.key)) {
                    self.problems.report(place, format!("{owner} has neither an actor nor a combinator"));
                }
                return None;
            }
            _ => {
                let message = format!("{owner} says more than once what runs");
                self.problems.report_with_help(place, message, "put one into the other, as a step of its own");
                return None;
            }
        };
        Some(Step { run, limit, share })
    }

    /// A reducer and what runs on its program; some other table has none.
    fn reduced(&mut self, fields: &mut Fields<'_>, depth: u32) -> Option<Option<Run>> {
        let reducer = fields.text(self.problems, "reduce");
        let then = fields.take("then");
        let Some((name, place)) = reducer else {
            if let Some(then) = then {
                let help = "say by which reducer the program for it is made: reduce = \"product\"";
                self.problems.report_with_help(then.key_place, "`then` stands without `reduce`", help);
            }
            return then.map(|_| None);
        };
        let chosen = choose_plugins(self.problems, "a step", &[(name, place)], PluginKind::Reducer, self.available);
        let options: Vec<&Entry> = fields.take_unlisted(name).into_iter().collect();
        let reducer = chosen.first().map(|plugin| configure(self.problems, plugin, &options));
        let isolation = read_isolation(self.problems, fields, place);
        let Some(then) = then else {
            let help = format!("say what runs on the residual program: {{ reduce = \"{name}\", then = \"ACTOR\" }}");
            self.problems.report_with_help(place, "`reduce` stands without `then`", help);
            return Some(None);
        };
        let step = self.element("then", &then.node, depth);
        Some(reducer.zip(step).map(|(reducer, step)| Run::Reduced {
            reducer,
            isolation,
            then: Box::new(step.into_run()),
        }))
    }

    fn steps(&mut self, entry: &Entry, depth: u32) -> Option<Vec<Step>> {
        let Value::List(elements) = &entry.node.value else {
            let message = format!("`{}` must be a list of actors, not {}", entry.key, entry.node.value.describe());
            self.problems.report(entry.node.place, message);
            return None;
        };
        if elements.is_empty() {
            self.problems.report(entry.node.place, format!("`{}` has no steps", entry.key));
            return None;
        }
        let steps: Vec<Option<Step>> =
            elements.iter().map(|element| self.element(&entry.key, element, depth)).collect();
        steps.into_iter().collect()
    }

    fn element(&mut self, combinator: &str, element: &Node, depth: u32) -> Option<Step> {
        match &element.value {
            Value::Text(name) => Some(Step { run: self.actor(name, element.place)?, limit: None, share: None }),
            Value::Table(table) => self.step(&format!("a step of `{combinator}`"), table, element.place, depth + 1),
            other => {
                let message = format!("a step of `{combinator}` must be a name or a table, not {}", other.describe());
                self.problems.report(element.place, message);
                None
            }
        }
    }

    fn actor(&mut self, name: &str, place: Place) -> Option<Run> {
        if !self.actors.contains(&name) {
            self.problems.report_unknown(place, format!("there is no actor `{name}`"), name, self.actors);
            return None;
        }
        Some(Run::Actor(name.to_string()))
    }
}

/// An actor of the file itself that never runs is a mistake; one that came by `extends` is not.
pub fn report_unused(problems: &mut Problems<'_>, table: Option<&Table>, run: &Run) {
    let used = run.actors();
    for entry in table.map_or(&[][..], |table| &table.entries) {
        if !used.contains(&entry.key.as_str()) && entry.key_place.file == 0 {
            problems.report(entry.key_place, format!("actor `{}` is never used in [run]", entry.key));
        }
    }
}
