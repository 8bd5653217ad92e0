//! Questions that the components of a product ask each other while they strengthen a state. A component that cannot
//! answer returns [`Answer::NoInformation`], so that new questions do not break old analyses.

use crate::error::Result;
use crate::program::{CallSiteId, ExprId, VarId};
use serde::{Deserialize, Serialize};

/// A question about the concrete states that an abstract state stands for. Variants are only ever added at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Query {
    /// The value of an integer or pointer expression: [`Answer::Value`].
    Value(ExprId),
    /// Bounds of an integer expression: [`Answer::Interval`].
    Interval(ExprId),
    /// Whether an expression is non-zero everywhere, or zero everywhere: [`Answer::Truth`].
    Truth(ExprId),
    /// All variables whose storage a pointer may point into: [`Answer::Variables`].
    PointsTo(ExprId),
    /// The calls that are under way, outermost first: [`Answer::CallStack`]. The host answers this one.
    CallStack,
    /// A question of a third party: [`Answer::Custom`], in whatever encoding `topic` stands for.
    Custom { topic: String, data: Vec<u8> },
    /// Whether some execution leads to the state: [`Answer::Feasibility`]. The host asks this about target states, and
    /// executes the inputs that it gets.
    Feasibility,
}

/// The known part of the answer. Must hold for all concrete states that the asked state stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Answer {
    NoInformation,
    Value(i128),
    /// Both bounds are possible values.
    Interval {
        min: i128,
        max: i128,
    },
    Truth(bool),
    Variables(Vec<VarId>),
    CallStack(Vec<CallSiteId>),
    Custom(Vec<u8>),
    Feasibility(Feasibility),
}

/// Whether a state is reached by executions. Unlike other answers, not all of these hold for all concrete states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feasibility {
    /// These inputs lead to the state, as far as the analysis can tell: in the order in which the program reads them, each in
    /// the low bits, in the format of its function's result type.
    Inputs(Vec<u64>),
    /// No execution reaches it.
    Infeasible,
    /// Not decided, for this reason.
    Undecided(String),
}

impl Answer {
    /// The joint knowledge of two answers to the same question.
    pub fn meet(self, other: Answer) -> Answer {
        match (self, other) {
            (Answer::NoInformation, answer) | (answer, Answer::NoInformation) => answer,
            (Answer::Interval { min: a, max: b }, Answer::Interval { min: c, max: d }) => {
                Answer::Interval { min: a.max(c), max: b.min(d) }
            }
            (Answer::Variables(mut these), Answer::Variables(those)) => {
                these.retain(|variable| those.contains(variable));
                Answer::Variables(these)
            }
            // One analysis may exclude what another considers possible; inputs are better than no answer.
            (_, answer @ Answer::Feasibility(Feasibility::Infeasible))
            | (Answer::Feasibility(Feasibility::Undecided(_)), answer) => answer,
            // Both hold, so either is a sound answer; the first analysis of the product decides.
            (first, _) => first,
        }
    }
}

/// The states of the other components of a product, as far as they answer questions.
pub struct Peers<'a> {
    ask: &'a dyn Fn(&Query) -> Result<Answer>,
}

impl<'a> Peers<'a> {
    pub fn new(ask: &'a dyn Fn(&Query) -> Result<Answer>) -> Self {
        Peers { ask }
    }

    /// The joint answer of all other components.
    pub fn ask(&self, query: &Query) -> Result<Answer> {
        (self.ask)(query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_meet() {
        let wide = Answer::Interval { min: 0, max: 10 };
        assert_eq!(Answer::NoInformation.meet(wide.clone()), wide);
        let narrow = wide.meet(Answer::Interval { min: 5, max: 20 });
        assert_eq!(narrow, Answer::Interval { min: 5, max: 10 });
        let both = Answer::Variables(vec![VarId(1), VarId(2)]).meet(Answer::Variables(vec![VarId(2), VarId(3)]));
        assert_eq!(both, Answer::Variables(vec![VarId(2)]));
        assert_eq!(Answer::Truth(true).meet(Answer::NoInformation), Answer::Truth(true));
        let inputs = || Answer::Feasibility(Feasibility::Inputs(vec![1]));
        let undecided = || Answer::Feasibility(Feasibility::Undecided("too hard".into()));
        let infeasible = || Answer::Feasibility(Feasibility::Infeasible);
        assert_eq!((inputs().meet(undecided()), undecided().meet(inputs())), (inputs(), inputs()));
        assert_eq!((inputs().meet(infeasible()), infeasible().meet(inputs())), (infeasible(), infeasible()));
    }
}
