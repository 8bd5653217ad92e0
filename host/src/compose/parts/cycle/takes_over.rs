//! What a step of a cycle takes over from earlier turns: the options of Alg. 4 of the CoVeriTest paper (STTT 2021), and their check.

use crate::compose::check::CheckedActors;
use crate::compose::document::{Place, Value};
use crate::compose::part::Step;
use crate::compose::schema::{Fields, Problems, read_text_list};
use tandem_plugin_api::descriptor::ArtifactKind;

/// What a step takes over from its own last turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// It starts anew.
    #[default]
    Nothing,
    /// The graph, and all else that its actors have: it goes on where it stopped.
    Arg,
    /// The precision: it starts anew with what it has learned to track.
    Precision,
}

/// The options of one step.
#[derive(Clone, Copy, Debug)]
pub struct TakesOver {
    pub reuse: Reuse,
    /// It leaves out the paths that the last turn, which was another step's, has explored.
    pub condition: bool,
    /// It also tracks what the last turn tracked.
    pub transform_precision: bool,
    place: Place,
}

impl TakesOver {
    /// A step that starts anew in each turn.
    pub fn nothing(place: Place) -> Self {
        TakesOver { reuse: Reuse::Nothing, condition: false, transform_precision: false, place }
    }

    pub fn read(problems: &mut Problems<'_>, fields: &mut Fields<'_>, place: Place) -> Self {
        let reuse = read_reuse(problems, fields);
        let condition = fields.bool(problems, "condition").unwrap_or_default();
        let transform_precision = fields.bool(problems, "transform-precision").unwrap_or_default();
        if reuse == Reuse::Arg {
            for (key, is_set) in [("condition", condition), ("transform-precision", transform_precision)] {
                if is_set {
                    let message = format!("reuse = \"arg\" cannot be combined with `{key}`");
                    let help = "a resumed graph goes on from its open states, and what others found could only be used from the \
                                start on (STTT 2021, Sect. 3.1); reuse = \"precision\" can be combined with it";
                    problems.report_with_help(place, message, help);
                }
            }
        }
        TakesOver { reuse, condition, transform_precision, place }
    }

    /// Whether the actors live on between the turns.
    pub fn keeps_actors(&self) -> bool {
        self.reuse == Reuse::Arg
    }

    /// Whether the step can do with its options what they ask for.
    pub fn check(&self, step: &Step, before: &Step, actors: &CheckedActors<'_>, problems: &mut Problems<'_>) {
        let name = step.name();
        if self.condition && !step.part.follows_conditions(actors) {
            let message = format!("`condition`, but `{name}` cannot leave out paths that others have explored");
            let help = "put the analysis `condition` first in its list, or write { reduce = \"product\", then = … }";
            problems.report_with_help(self.place, message, help);
        }
        if self.reuse == Reuse::Precision && !actors.give(&*step.part, ArtifactKind::Precision) {
            let message = format!("reuse = \"precision\", but `{name}` has no precision");
            problems.report_with_help(self.place, message, "reuse = \"arg\" keeps whatever its actors have");
        }
        if self.transform_precision {
            for (of, role) in [(before, "gets one from"), (step, "uses one")] {
                if !actors.give(&*of.part, ArtifactKind::Precision) {
                    let message = match role {
                        "uses one" => format!("`transform-precision`, but `{name}` has no precision"),
                        _ => format!(
                            "`transform-precision`, but `{}`, which runs before `{name}`, has no precision",
                            of.name()
                        ),
                    };
                    let help = "analyses with a precision are `value` and `predicate`, for example";
                    problems.report_with_help(self.place, message, help);
                }
            }
        }
    }
}

/// `reuse = "arg"` or, as in the papers' tables, a list of what is reused.
fn read_reuse(problems: &mut Problems<'_>, fields: &mut Fields<'_>) -> Reuse {
    let Some(entry) = fields.take("reuse") else { return Reuse::Nothing };
    let words = match &entry.node.value {
        Value::Text(word) => vec![(word.as_str(), entry.node.place)],
        _ => read_text_list(problems, "reuse", &entry.node).unwrap_or_default(),
    };
    let mut reuse = Reuse::Nothing;
    for (word, place) in words {
        match word {
            "arg" => reuse = Reuse::Arg,
            // A graph has its precision with it.
            "precision" if reuse != Reuse::Arg => reuse = Reuse::Precision,
            "precision" => {}
            _ => {
                problems.report_unknown(place, format!("`reuse` has no value \"{word}\""), word, &["arg", "precision"])
            }
        }
    }
    reuse
}
