//! Parameters of configurations: `[parameters]` declares names with their usual values, `"{{name}}"` stands for one in any text
//! of the file and of what it extends, and `CONFIG:name=value` gives one another value.

use super::document::{Entry, Node, Place, Table, Value};
use super::schema::Problems;

const KEY: &str = "parameters";

/// Values that were given with the name of a configuration: `cmc-predicate-value:reducer=slice,then=bmc`.
pub type Given = Vec<(String, String)>;

/// Takes the given values off a name or path. One that contains `:` without `name=value` behind it is left as it is.
pub fn split(wanted: &str) -> (&str, Given) {
    let parsed = wanted.rsplit_once(':').and_then(|(config, given)| Some((config, parse(given)?)));
    parsed.unwrap_or((wanted, Given::new()))
}

/// The name of a configuration with values for its parameters.
pub fn join(config: &str, given: &[(String, String)]) -> String {
    let given: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if given.is_empty() { config.to_string() } else { format!("{config}:{}", given.join(",")) }
}

fn parse(given: &str) -> Option<Given> {
    given
        .split(',')
        .map(|pair| pair.split_once('=').filter(|(name, _)| is_name(name)).map(|(n, v)| (n.to_string(), v.to_string())))
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// The parameters of a chain of files that extend one another. What is given decides, then the file nearest to the user.
pub struct Parameters {
    given: Given,
    known: Vec<Parameter>,
}

struct Parameter {
    name: String,
    place: Place,
    value: Value,
    used: bool,
}

impl Parameters {
    pub fn new(given: Given) -> Parameters {
        Parameters { given, known: Vec::new() }
    }

    /// Takes the declarations out of a file's table, and puts values in the place of `{{name}}`.
    pub fn apply(&mut self, problems: &mut Problems<'_>, table: &mut Table) {
        if let Some(at) = table.entries.iter().position(|entry| entry.key == KEY) {
            let entry = table.entries.remove(at);
            match entry.node.value {
                Value::Table(declared) => declared.entries.into_iter().for_each(|entry| self.declare(problems, entry)),
                other => problems.report(
                    entry.node.place,
                    format!("`{KEY}` must be a table of names with their usual values, not {}", other.describe()),
                ),
            }
        }
        for entry in &mut table.entries {
            self.fill(problems, &mut entry.node);
        }
    }

    fn declare(&mut self, problems: &mut Problems<'_>, entry: Entry) {
        let Entry { key: name, key_place: place, node } = entry;
        if !is_name(&name) {
            return problems.report(place, format!("`{name}` is no name of a parameter: letters, digits, `-` and `_`"));
        }
        if !matches!(node.value, Value::Text(_) | Value::Integer(_) | Value::Bool(_)) {
            let found = node.value.describe();
            return problems.report(
                node.place,
                format!("the parameter `{name}` must be a text, an integer or true or false, not {found}"),
            );
        }
        if self.known.iter().any(|known| known.name == name) {
            return;
        }
        let given = self.given.iter().rev().find(|(given, _)| *given == name).map(|(_, text)| text);
        let value = match given.map(|text| (text, typed(text, &node.value))) {
            None => node.value,
            Some((_, Some(value))) => value,
            Some((text, None)) => {
                let usual = node.value.describe();
                problems.report(
                    place,
                    format!("the parameter `{name}` is `{text}`, which is of another type than {usual}"),
                );
                node.value
            }
        };
        self.known.push(Parameter { name, place, value, used: false });
    }

    fn fill(&mut self, problems: &mut Problems<'_>, node: &mut Node) {
        let place = node.place;
        match &mut node.value {
            Value::List(list) => list.iter_mut().for_each(|node| self.fill(problems, node)),
            Value::Table(table) => table.entries.iter_mut().for_each(|entry| self.fill(problems, &mut entry.node)),
            Value::Text(text) => {
                if let Some(value) = self.filled(problems, text, place) {
                    node.value = value;
                }
            }
            _ => {}
        }
    }

    /// The value that a text with `{{name}}` in it stands for; `None` if the text has no such place.
    fn filled(&mut self, problems: &mut Problems<'_>, text: &str, place: Place) -> Option<Value> {
        if let Some(name) =
            text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")).filter(|name| is_name(name))
        {
            return self.value(problems, name, place);
        }
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = placeholder(rest) {
            filled.push_str(before);
            match self.value(problems, name, place)? {
                Value::Text(value) => filled.push_str(&value),
                Value::Integer(value) => filled.push_str(&value.to_string()),
                Value::Bool(value) => filled.push_str(&value.to_string()),
                _ => {}
            }
            rest = after;
        }
        (rest.len() < text.len()).then(|| Value::Text(filled + rest))
    }

    fn value(&mut self, problems: &mut Problems<'_>, name: &str, place: Place) -> Option<Value> {
        match self.known.iter_mut().find(|known| known.name == name) {
            Some(parameter) => {
                parameter.used = true;
                Some(parameter.value.clone())
            }
            None => {
                let known: Vec<&str> = self.known.iter().map(|known| known.name.as_str()).collect();
                problems.report_unknown(place, format!("there is no parameter `{name}`"), name, &known);
                None
            }
        }
    }

    /// When all files are read: what is given or declared must be used.
    pub fn finish(self, problems: &mut Problems<'_>, start: Place) {
        let known: Vec<&str> = self.known.iter().map(|known| known.name.as_str()).collect();
        for (name, _) in self.given.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            problems.report_unknown(start, format!("the configuration has no parameter `{name}`"), name, &known);
        }
        for parameter in self.known.iter().filter(|parameter| !parameter.used) {
            let help = format!("write \"{{{{{}}}}}\" where it is meant, or leave it out", parameter.name);
            problems.report_with_help(parameter.place, format!("the parameter `{}` is not used", parameter.name), help);
        }
    }
}

/// The first `{{name}}` of a text: what is before it, the name, and what is behind it.
fn placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find("{{")?;
        let end = start + text[start..].find("}}")?;
        let name = &text[start + 2..end];
        if is_name(name) {
            return Some((&text[..start], name, &text[end + 2..]));
        }
        from = start + 2;
    }
}

/// A value of the same type as the usual one.
fn typed(text: &str, usual: &Value) -> Option<Value> {
    match usual {
        Value::Text(_) => Some(Value::Text(text.to_string())),
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Bool(_) => text.parse().ok().map(Value::Bool),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Sources;
    use super::*;

    /// The value of `x` in a file, or the mistakes.
    fn x(text: &str, given: &str) -> Result<String, Vec<String>> {
        let mut sources = Sources::default();
        let (mut table, problems) = sources.add("c.toml", text);
        assert!(problems.is_empty());
        let mut problems = Problems::new(&sources);
        let mut parameters = Parameters::new(split(&format!("c:{given}")).1);
        parameters.apply(&mut problems, &mut table);
        parameters.finish(&mut problems, sources.start());
        let problems: Vec<String> = problems.into_diagnostics().iter().map(ToString::to_string).collect();
        let value = table.get("x").map(|entry| entry.node.value.describe()).unwrap_or_default();
        if problems.is_empty() { Ok(value) } else { Err(problems) }
    }

    #[test]
    fn values_stand_for_their_names() {
        let text = "x = '{{a}}'\n[parameters]\na = 'b'\n";
        assert_eq!(x(text, ""), Ok("the text \"b\"".into()));
        assert_eq!(x(text, "a=c"), Ok("the text \"c\"".into()));
        assert_eq!(
            x("x = '1 {{a}}, {{a}} {{}} {x}'\n[parameters]\na = 5\n", "a=-7"),
            Ok("the text \"1 -7, -7 {{}} {x}\"".into())
        );
        assert_eq!(x("x = '{{a}}'\n[parameters]\na = 5\n", "a=7"), Ok("the integer 7".into()));
        assert_eq!(x("x = ['{{a}}', {y = '{{a}}'}]\n[parameters]\na = true\n", "a=false"), Ok("a list".into()));
    }

    #[test]
    fn mistakes_are_named_with_their_places() {
        let found = x("x = '{{reducers}}'\n[parameters]\nreducer = 'b'\n", "redcer=c,reducer=d").unwrap_err();
        for part in [
            "c.toml:1:5: error: there is no parameter `reducers`",
            "the configuration has no parameter `redcer`",
            "did you mean `reducer`?",
            "c.toml:3:1: error: the parameter `reducer` is not used",
        ] {
            assert!(found.iter().any(|problem| problem.contains(part)), "{part}: {found:#?}");
        }
        let found = x("x = '{{a}}'\n[parameters]\na = 5\nb = []\n", "a=many").unwrap_err();
        assert!(found[0].contains("`a` is `many`, which is of another type than the integer 5"), "{found:?}");
        assert!(found[1].contains("`b` must be a text, an integer or true or false, not a list"), "{found:?}");
    }

    #[test]
    fn names_are_told_from_values() {
        let given =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect::<Given>();
        assert_eq!(split("a"), ("a", given(&[])));
        assert_eq!(split("c:/a.toml"), ("c:/a.toml", given(&[])));
        assert_eq!(split("d/a.toml:b=1,c=x y"), ("d/a.toml", given(&[("b", "1"), ("c", "x y")])));
        assert_eq!(join("a", &given(&[("b", "1"), ("c", "d")])), "a:b=1,c=d");
    }
}
