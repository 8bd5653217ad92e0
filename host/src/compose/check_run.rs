//! Checks the `[run]` table of a configuration: a tree of parts with actors as leaves. Each part's own file says what
//! its keys mean.

use super::check::Available;
use super::document::{Entry, Node, Place, Table, Value};
use super::part::{KEYWORDS, Part, Step};
use super::parts::actor::ActorPart;
use super::schema::{Fields, Problems, read_table};
use std::sync::Arc;

/// Combinators of the design that no version runs yet.
const LATER: [&str; 2] = ["delegate", "ranged"];
/// Deeper trees are refused as mistakes.
const MAX_DEPTH: u32 = 32;

/// The composition, by the names of the actors.
pub fn check_run(
    problems: &mut Problems<'_>,
    entry: Option<&Entry>,
    actors: &[&str],
    available: &Available<'_>,
    start: Place,
) -> Option<Step> {
    let Some(entry) = entry else {
        return match actors {
            [] => None,
            [name] => Some(Step::without_limits(Arc::new(ActorPart(name.to_string())))),
            _ => {
                let help = "say what they do: [run] actor = \"NAME\", or sequence = [\"NAME\", …], or race = […]";
                problems.report_with_help(start, "there are several actors, and no [run] says what to do", help);
                None
            }
        };
    };
    let table = read_table(problems, "run", &entry.node)?;
    StepReader { problems, actors, available, depth: 0 }.table("[run]", table, entry.key_place, &mut |_, _| {})
}

/// Takes the keys of a step that belong to the combinator in which it stands.
type MoreKeys<'m> = &'m mut dyn FnMut(&mut Problems<'_>, &mut Fields<'_>);

/// Reads steps, and collects mistakes.
pub struct StepReader<'a, 's> {
    pub problems: &'a mut Problems<'s>,
    actors: &'a [&'a str],
    pub available: &'a Available<'a>,
    depth: u32,
}

impl StepReader<'_, '_> {
    /// A table with one keyword, the keys that belong to it, limits, and keys that `more` takes.
    fn table(&mut self, owner: &str, table: &Table, place: Place, more: MoreKeys<'_>) -> Option<Step> {
        if self.depth > MAX_DEPTH {
            self.problems.report(place, "the composition is nested too deep");
            return None;
        }
        let mut fields = Fields::new(owner, table);
        let mut parts = Vec::new();
        for keyword in KEYWORDS {
            match fields.take(keyword.key) {
                Some(entry) => parts.push((keyword.read)(self, entry, &mut fields)),
                None => keyword.others.iter().for_each(|key| self.stands_alone(&mut fields, key, keyword.key)),
            }
        }
        let limit = fields.duration(self.problems, "limit");
        let share = fields.integer(self.problems, "share", 1..=100).and_then(|share| u32::try_from(share).ok());
        more(self.problems, &mut fields);
        let is_refused = self.refuse_later_ones(&mut fields);
        fields.finish(self.problems);
        match parts.len() {
            1 => Some(Step { part: parts.pop()??, limit, share }),
            0 => {
                if table.entries.is_empty() {
                    let help = "write actor = \"NAME\", or sequence = [\"NAME\", …]";
                    self.problems.report_with_help(place, format!("{owner} does not say what runs"), help);
                } else if !is_refused && table.entries.iter().all(|entry| ["limit", "share"].contains(&&*entry.key)) {
                    self.problems.report(place, format!("{owner} has neither an actor nor a combinator"));
                }
                None
            }
            _ => {
                let message = format!("{owner} says more than once what runs");
                self.problems.report_with_help(place, message, "put one into the other, as a step of its own");
                None
            }
        }
    }

    /// A key that has a meaning only beside its keyword.
    fn stands_alone(&mut self, fields: &mut Fields<'_>, key: &'static str, keyword: &str) {
        if let Some(entry) = fields.take(key) {
            let message = format!("`{key}` stands without `{keyword}`");
            let help = match key {
                "isolation" | "memory" => {
                    format!("write it into the table of an actor, [actor.NAME], or beside `{keyword}`")
                }
                _ => format!("it belongs to a step such as {{ {keyword} = …, {key} = … }}"),
            };
            self.problems.report_with_help(entry.key_place, message, help);
        }
    }

    fn refuse_later_ones(&mut self, fields: &mut Fields<'_>) -> bool {
        let mut is_refused = false;
        for combinator in LATER {
            if let Some(entry) = fields.take_unlisted(combinator) {
                let message = format!("`{combinator}` is not available in this version");
                let known = KEYWORDS.map(|keyword| keyword.key).join(", ");
                self.problems.report_with_help(entry.key_place, message, format!("there are {known}"));
                is_refused = true;
            }
        }
        is_refused
    }

    /// A list of steps.
    pub fn steps(&mut self, entry: &Entry) -> Option<Vec<Step>> {
        let Value::List(elements) = &entry.node.value else {
            let message = format!("`{}` must be a list of actors, not {}", entry.key, entry.node.value.describe());
            self.problems.report(entry.node.place, message);
            return None;
        };
        if elements.is_empty() {
            self.problems.report(entry.node.place, format!("`{}` has no steps", entry.key));
            return None;
        }
        let steps: Vec<Option<Step>> = elements.iter().map(|element| self.step(&entry.key, element)).collect();
        steps.into_iter().collect()
    }

    /// One step: the name of an actor, or a table. `keyword` is where it stands.
    pub fn step(&mut self, keyword: &str, element: &Node) -> Option<Step> {
        self.step_with(keyword, element, &mut |_, _| {})
    }

    /// The same with keys that only steps of `keyword` may have.
    pub fn step_with(&mut self, keyword: &str, element: &Node, more: MoreKeys<'_>) -> Option<Step> {
        match &element.value {
            Value::Text(name) => self.actor(name, element.place).map(Step::without_limits),
            Value::Table(table) => {
                self.depth += 1;
                let step = self.table(&format!("a step of `{keyword}`"), table, element.place, more);
                self.depth -= 1;
                step
            }
            other => {
                let message = format!("a step of `{keyword}` must be a name or a table, not {}", other.describe());
                self.problems.report(element.place, message);
                None
            }
        }
    }

    /// An actor by its name.
    pub fn actor(&mut self, name: &str, place: Place) -> Option<Arc<dyn Part>> {
        if !self.actors.contains(&name) {
            self.problems.report_unknown(place, format!("there is no actor `{name}`"), name, self.actors);
            return None;
        }
        Some(Arc::new(ActorPart(name.to_string())))
    }
}

/// An actor of the file itself that never runs is a mistake; one that came by `extends` is not.
pub fn report_unused(problems: &mut Problems<'_>, table: Option<&Table>, run: &Step) {
    let used = run.part.actors();
    for entry in table.map_or(&[][..], |table| &table.entries) {
        if !used.contains(&entry.key.as_str()) && entry.key_place.file == 0 {
            problems.report(entry.key_place, format!("actor `{}` is never used in [run]", entry.key));
        }
    }
}
