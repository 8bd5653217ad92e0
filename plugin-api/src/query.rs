//! Questions that the components of a product ask each other while they strengthen a state.
//! Whoever has nothing to say answers [`Answer::NoInformation`]; new questions therefore never break old analyses.

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
}

/// What is known. Must hold for all concrete states that the asked state stands for.
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
}

impl Answer {
    /// What is known when two analyses have answered the same question.
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

    /// What all other components together know.
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
    }
}
