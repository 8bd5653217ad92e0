//! The native file format of GIAs: JSON in which edges go by their source-level names.
//!
//! ```json
//! {
//!   "format": "tandem-gia",
//!   "version": 1,
//!   "program": "count.c",
//!   "initial": "q0",
//!   "states": [
//!     {"name": "q0"},
//!     {"name": "q1", "invariant": {"scope": "main", "text": "i <= n"}, "accepting": "cand"}
//!   ],
//!   "transitions": [
//!     {"from": "q0", "edges": ["main:8:7:F"], "condition": {"scope": "main", "text": "n > 50"}, "to": "q1"},
//!     {"from": "q1", "edges": "*", "to": "q1"}
//!   ]
//! }
//! ```
//! Optional fields: `invariant` and `condition` (absent: true; a text alone has global scope), `accepting` (`ut`, `rt`,
//! `cand`; absent: none), `program_hash` (SHA-256 of the program's file in hexadecimal), `conventions`, `claims` and
//! `unsound_steps` (what the claims rest on, see [`Soundness`]). All other fields are refused.

use super::document::{Fields, Json, Part, nearest};
use super::{Acceptance, ArtifactError, Condition, EdgeSet, Gia, GiaBuilder, Soundness, StateId};
use crate::program::{EdgeId, EdgeNames, Program};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fmt::Write;

pub const FORMAT: &str = "tandem-gia";
pub const VERSION: u32 = 1;

const DOCUMENT_FIELDS: &[&str] = &[
    "format",
    "version",
    "program",
    "program_hash",
    "initial",
    "conventions",
    "claims",
    "unsound_steps",
    "states",
    "transitions",
];

/// A GIA as a file holds it, together with what its claims rest on: results that use the GIA rest on the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GiaDocument {
    pub gia: Gia,
    pub soundness: Soundness,
    /// SHA-256 of the program's file, in lower-case hexadecimal. A reader that knows the file's hash should compare,
    /// since the edges of a changed program can have the same names.
    pub program_hash: Option<String>,
}

#[derive(Serialize)]
struct ConditionRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'a str>,
    text: &'a str,
}

#[derive(Serialize)]
struct StateRow<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<ConditionRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepting: Option<&'a str>,
}

#[derive(Serialize)]
struct TransitionRow<'a> {
    from: &'a str,
    edges: EdgesRow<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<ConditionRow<'a>>,
    to: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum EdgesRow<'a> {
    Any(&'a str),
    Names(Vec<&'a str>),
}

impl GiaDocument {
    pub fn new(gia: Gia) -> Self {
        GiaDocument { gia, soundness: Soundness::clean(), program_hash: None }
    }

    /// The text of the file: one line per state and transition, so that line-based tools can compare two of them.
    pub fn to_json(&self, program: &Program) -> Result<String, ArtifactError> {
        if let Some(edge) = self.gia.foreign_edge(program) {
            let message = format!("the GIA names edge number {}, which `{}` does not have", edge.0, program.name);
            return Err(ArtifactError::new("", message).help("write it with the program that it was made for"));
        }
        let names = EdgeNames::new(program);
        let mut text = String::from("{\n");
        field(&mut text, "format", &FORMAT)?;
        field(&mut text, "version", &VERSION)?;
        field(&mut text, "program", &program.name)?;
        if let Some(hash) = &self.program_hash {
            field(&mut text, "program_hash", hash)?;
        }
        field(&mut text, "initial", &self.gia.state(self.gia.initial()).name)?;
        for (name, notes) in [
            ("conventions", self.soundness.convention_texts()),
            ("claims", self.soundness.claims().map(str::to_string).collect()),
            ("unsound_steps", self.soundness.unsound_steps().map(str::to_string).collect()),
        ] {
            if !notes.is_empty() {
                field(&mut text, name, &notes)?;
            }
        }
        let states = self.gia.states().iter().map(|state| StateRow {
            name: &state.name,
            invariant: condition_row(&state.invariant),
            accepting: (state.acceptance != Acceptance::None).then(|| state.acceptance.name()),
        });
        rows(&mut text, "states", states)?;
        text.push_str(",\n");
        let transitions = self.gia.transitions().iter().map(|transition| TransitionRow {
            from: &self.gia.state(transition.source).name,
            edges: match transition.edges.edges() {
                None => EdgesRow::Any("*"),
                Some(edges) => EdgesRow::Names(edges.iter().map(|&edge| &**names.name(edge)).collect()),
            },
            condition: condition_row(&transition.condition),
            to: &self.gia.state(transition.target).name,
        });
        rows(&mut text, "transitions", transitions)?;
        text.push_str("\n}\n");
        Ok(text)
    }

    /// Reads a file that was written for this program, and checks all that Def. 2 wants.
    pub fn from_json(text: &str, program: &Program) -> Result<Self, ArtifactError> {
        let json = Json::parse(text)?;
        let whole = Part::whole(&json);
        check_format(&whole.any_fields()?)?;
        let fields = whole.fields(DOCUMENT_FIELDS)?;
        check_program(&fields.required("program")?, program)?;
        Ok(GiaDocument {
            gia: Reader::new(program).read(&fields)?,
            soundness: read_soundness(&fields)?,
            program_hash: fields.optional("program_hash").map(|hash| read_hash(&hash)).transpose()?,
        })
    }
}

fn condition_row(condition: &Condition) -> Option<ConditionRow<'_>> {
    (!condition.is_true()).then(|| ConditionRow { scope: condition.scope(), text: condition.text() })
}

fn json_of(value: &impl Serialize) -> Result<String, ArtifactError> {
    serde_json::to_string(value).map_err(|error| ArtifactError::new("", error.to_string()))
}

fn field(text: &mut String, name: &str, value: &impl Serialize) -> Result<(), ArtifactError> {
    let _ = writeln!(text, "  \"{name}\": {},", json_of(value)?);
    Ok(())
}

fn rows<R: Serialize>(text: &mut String, name: &str, rows: impl Iterator<Item = R>) -> Result<(), ArtifactError> {
    let _ = write!(text, "  \"{name}\": [");
    let mut separator = "\n";
    for row in rows {
        let _ = write!(text, "{separator}    {}", json_of(&row)?);
        separator = ",\n";
    }
    text.push_str("\n  ]");
    Ok(())
}

/// Checked first, since a newer version may have other fields.
fn check_format(fields: &Fields<'_>) -> Result<(), ArtifactError> {
    let format = fields.required("format")?;
    if format.text()? != FORMAT {
        let message = format!("the format is `{}`, but `{FORMAT}` is expected", format.text()?);
        return Err(format.error(message).help("give a file that `tandem` wrote as a GIA"));
    }
    let version = fields.required("version")?;
    let number = version.number()?;
    if number != f64::from(VERSION) {
        let message = format!("version {number} of the format is not known; this program reads version {VERSION}");
        let help = if number > f64::from(VERSION) { "use a newer tandem" } else { "write the file again" };
        return Err(version.error(message).help(help));
    }
    Ok(())
}

/// Checks the file's name only, since files move between directories; a file with another name is another program.
fn check_program(name: &Part<'_>, program: &Program) -> Result<(), ArtifactError> {
    fn base(path: &str) -> &str {
        path.rsplit(['/', '\\']).next().unwrap_or(path)
    }
    let text = name.text()?;
    if base(text) == base(&program.name) {
        return Ok(());
    }
    let message = format!("the GIA was made for `{text}`, not for `{}`", program.name);
    Err(name.error(message).help("give that program, or, if it is the same under a new name, change this field"))
}

fn read_hash(hash: &Part<'_>) -> Result<String, ArtifactError> {
    let text = hash.text()?.to_ascii_lowercase();
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text);
    }
    Err(hash.error("this is not a SHA-256 hash").help("write 64 hexadecimal digits, or remove the field"))
}

fn read_soundness(fields: &Fields<'_>) -> Result<Soundness, ArtifactError> {
    let mut soundness = Soundness::clean();
    for note in fields.optional("conventions").map_or(Ok(Vec::new()), |part| part.list())? {
        soundness.convention(note.text()?);
    }
    for note in fields.optional("claims").map_or(Ok(Vec::new()), |part| part.list())? {
        soundness.claim(note.text()?);
    }
    for note in fields.optional("unsound_steps").map_or(Ok(Vec::new()), |part| part.list())? {
        soundness.unsound(note.text()?);
    }
    Ok(soundness)
}

/// Reads states and transitions of one document.
struct Reader<'a> {
    edges: EdgeNames,
    states: FxHashMap<&'a str, StateId>,
    /// In the order of the document.
    state_names: Vec<&'a str>,
    builder: GiaBuilder,
}

impl<'a> Reader<'a> {
    fn new(program: &Program) -> Self {
        Reader {
            edges: EdgeNames::new(program),
            states: FxHashMap::default(),
            state_names: Vec::new(),
            builder: GiaBuilder::new(),
        }
    }

    fn read(mut self, fields: &Fields<'a>) -> Result<Gia, ArtifactError> {
        for state in fields.required("states")?.list()? {
            self.state(&state)?;
        }
        for transition in fields.required("transitions")?.list()? {
            self.transition(&transition)?;
        }
        let initial = self.look_up_state(&fields.required("initial")?)?;
        Ok(self.builder.build(initial)?)
    }

    fn state(&mut self, part: &Part<'a>) -> Result<(), ArtifactError> {
        let fields = part.fields(&["name", "invariant", "accepting"])?;
        let name = fields.required("name")?.text()?;
        let invariant = read_condition(fields.optional("invariant"))?;
        let acceptance = match fields.optional("accepting") {
            Some(accepting) => read_acceptance(&accepting)?,
            None => Acceptance::None,
        };
        let id = self.builder.state_with_invariant(name, invariant, acceptance);
        self.states.insert(name, id);
        self.state_names.push(name);
        Ok(())
    }

    fn transition(&mut self, part: &Part<'a>) -> Result<(), ArtifactError> {
        let fields = part.fields(&["from", "edges", "condition", "to"])?;
        let source = self.look_up_state(&fields.required("from")?)?;
        let target = self.look_up_state(&fields.required("to")?)?;
        let edges = self.edge_set(&fields.required("edges")?)?;
        self.builder.transition(source, edges, read_condition(fields.optional("condition"))?, target);
        Ok(())
    }

    fn look_up_state(&self, part: &Part<'_>) -> Result<StateId, ArtifactError> {
        let name = part.text()?;
        self.states.get(name).copied().ok_or_else(|| {
            let error = part.error(format!("no state is named `{name}`"));
            match nearest(name, self.state_names.iter().copied()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help("add it to `states`"),
            }
        })
    }

    fn edge_set(&self, part: &Part<'_>) -> Result<EdgeSet, ArtifactError> {
        if part.as_text() == Some("*") {
            return Ok(EdgeSet::any());
        }
        let names = part.list_or("`\"*\"` or a list of edge names")?;
        names.iter().map(|name| self.edge(name)).collect::<Result<Vec<_>, _>>().map(EdgeSet::of)
    }

    fn edge(&self, part: &Part<'_>) -> Result<EdgeId, ArtifactError> {
        let name = part.text()?;
        self.edges.edge(name).ok_or_else(|| {
            let error = part.error(format!("the program has no edge named `{name}`"));
            match nearest(name, self.edges.iter()) {
                Some(near) => error.help(format!("did you mean `{near}`? If the program changed, make the GIA again")),
                None => error.help("if the program changed, make the GIA again"),
            }
        })
    }
}

fn read_acceptance(part: &Part<'_>) -> Result<Acceptance, ArtifactError> {
    match part.text()? {
        "ut" => Ok(Acceptance::Ut),
        "rt" => Ok(Acceptance::Rt),
        "cand" => Ok(Acceptance::Cand),
        other => {
            let error = part.error(format!("`{other}` is not an accepting set"));
            Err(error.help("write `ut`, `rt` or `cand`, or leave the field out; a state is in at most one of them"))
        }
    }
}

fn read_condition(part: Option<Part<'_>>) -> Result<Condition, ArtifactError> {
    let Some(part) = part else { return Ok(Condition::always()) };
    let condition = match part.as_text() {
        Some(text) => Condition::global(text),
        None => {
            let fields = part.fields(&["scope", "text"])?;
            let scope = fields.optional("scope").map(|scope| scope.text()).transpose()?;
            Condition::new(scope, fields.required("text")?.text()?)
        }
    };
    if condition.is_blank() {
        return Err(part.error("the condition is blank").help("write `true`, or leave the field out"));
    }
    Ok(condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::test_support::sample_program;

    const SAMPLE: &str = r#"{
  "format": "tandem-gia",
  "version": 1,
  "program": "dir/sample.c",
  "initial": "q0",
  "unsound_steps": ["a limit dropped states"],
  "states": [
    {"name":"q0"},
    {"name":"done","accepting":"ut"},
    {"name":"open","invariant":{"scope":"main","text":"x > 0"},"accepting":"cand"}
  ],
  "transitions": [
    {"from":"q0","edges":["main:5:7:T","main:9:3:T#2"],"condition":{"text":"g == 1"},"to":"done"},
    {"from":"q0","edges":["main:5:7:F"],"to":"open"},
    {"from":"open","edges":"*","to":"open"}
  ]
}
"#;

    #[test]
    fn the_file_looks_as_documented() {
        let program = sample_program();
        let document = GiaDocument::from_json(SAMPLE, &program).unwrap();
        assert_eq!(document.to_json(&program).unwrap(), SAMPLE);
        let gia = &document.gia;
        assert_eq!(gia.acceptance(gia.state_named("done").unwrap()), Acceptance::Ut);
        assert_eq!(gia.leaving(gia.initial())[0].edges.edges(), Some(&[EdgeId(2), EdgeId(10)][..]));
        assert_eq!(document.soundness.unsound_steps().collect::<Vec<_>>(), ["a limit dropped states"]);
        // The file may have moved, and a condition may be a text.
        let moved = SAMPLE.replace("dir/sample.c", "/tmp/sample.c").replace(r#"{"text":"g == 1"}"#, r#""g == 1""#);
        assert_eq!(GiaDocument::from_json(&moved, &program).unwrap(), document);
    }

    #[test]
    fn mistakes_are_named_with_place_and_remedy() {
        let cases = [
            ("tandem-gia", "other", "at format: the format is `other`, but `tandem-gia` is expected; "),
            (
                "\"version\": 1",
                "\"version\": 2",
                "at version: version 2 of the format is not known; this program reads version 1; use a newer",
            ),
            (
                "\"version\": 1",
                "\"version\": 1, \"version\": 1",
                "line 17, column 1: the field `version` is there twice; keep one",
            ),
            ("\"version\": 1", "\"version\": \"1\"", "at version: a text stands here, but a number is expected"),
            ("dir/sample.c", "dir/count.c", "at program: the GIA was made for `dir/count.c`, not for `dir/sample.c`; "),
            ("\"initial\": \"q0\"", "\"initial\": \"q1\"", "at initial: no state is named `q1`; did you mean `q0`?"),
            (
                "\"initial\": \"q0\"",
                "\"initial\": \"open\"",
                "at states[2]: the initial state `open` has the invariant `x > 0 (in main)`",
            ),
            ("\"initial\": \"q0\",", "", "the field `initial` is missing; add it"),
            ("\"initial\"", "\"inital\"", "unknown field `inital`; did you mean `initial`?"),
            (
                "\"accepting\":\"ut\"",
                "\"accepting\":\"UT\"",
                "at states[1].accepting: `UT` is not an accepting set; write `ut`, `rt` or `cand`",
            ),
            (
                "\"accepting\":\"ut\"",
                "\"accept\":true",
                "at states[1]: unknown field `accept`; remove it; known fields are name, invariant, accepting",
            ),
            ("{\"name\":\"done\"", "{\"name\":\"q0\"", "at transitions[0].to: no state is named `done`; add it"),
            (
                "\"accepting\":\"ut\"}",
                "\"accepting\":\"ut\"},{\"name\":\"done\"}",
                "at states[2]: two states are named `done`; ",
            ),
            (
                "main:5:7:F",
                "main:5:8:F",
                "at transitions[1].edges[0]: the program has no edge named `main:5:8:F`; did you mean `main:5:7:F`?",
            ),
            (
                "\"edges\":\"*\"",
                "\"edges\":\"all\"",
                "at transitions[2].edges: a text stands here, but `\"*\"` or a list of edge names is expected",
            ),
            ("{\"text\":\"g == 1\"}", "\" \"", "at transitions[0].condition: the condition is blank; "),
            (
                "\"to\":\"done\"",
                "\"to\":\"dine\"",
                "at transitions[0].to: no state is named `dine`; did you mean `done`?",
            ),
            (
                "\"from\":\"q0\",\"edges\":[\"main:5:7:F\"]",
                "\"from\":\"done\",\"edges\":[\"main:5:7:F\"]",
                "at transitions[1]: a transition leads from the ut state `done` to `open`, which is cand, but ut states lead only to ut states (rule 1 of Def. 2); remove",
            ),
            (
                "\"from\":\"open\"",
                "\"from\":\"q0\"",
                "at states[2]: the cand state `open` has no transition to itself for `*` with condition `true` (rule 3 of Def. 2); add it",
            ),
            ("]\n}", "]", "line 17, column 0: EOF while parsing an object; the document must be JSON"),
        ];
        let program = sample_program();
        let mut wrong = String::new();
        for (from, to, expected) in cases {
            assert!(SAMPLE.contains(from), "{from}");
            let error = GiaDocument::from_json(&SAMPLE.replacen(from, to, 1), &program).unwrap_err().to_string();
            if !error.starts_with(expected) {
                wrong += &format!("\n  got      {error}\n  expected {expected}");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
        assert!(GiaDocument::from_json(&"[".repeat(100_000), &program).is_err());
        assert!(GiaDocument::from_json("", &program).is_err());
    }

    #[test]
    fn a_gia_of_another_program_is_not_written() {
        let mut builder = GiaBuilder::new();
        let only = builder.sink("q", Acceptance::None);
        builder.transition(only, EdgeId(17), Condition::always(), only);
        let error = GiaDocument::new(builder.build(only).unwrap()).to_json(&sample_program()).unwrap_err();
        assert!(error.to_string().contains("edge number 17"), "{error}");
    }
}
