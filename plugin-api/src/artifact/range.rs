//! Path ranges of ranged program analysis: sets of consecutive paths between two bounds.
//! The order of paths, and what underspecified tests mean, are those of the ranged-analysis paper, 2.2 and 3.3.

use super::{ArtifactError, TestCase};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The branches that a path takes, in order: true for the branch where the condition holds. Written `TTFT`.
///
/// Ordered as the paths are: T is less than F, and a path is less than those that go on after it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Decisions(pub Vec<bool>);

impl Ord for Decisions {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl PartialOrd for Decisions {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn compare(left: &[bool], right: &[bool]) -> Ordering {
    match left.iter().zip(right).find(|(a, b)| a != b) {
        Some((&holds, _)) if holds => Ordering::Less,
        Some(_) => Ordering::Greater,
        None => left.len().cmp(&right.len()),
    }
}

impl fmt::Display for Decisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.0.iter().map(|&holds| if holds { 'T' } else { 'F' }).collect();
        f.write_str(&letters)
    }
}

impl FromStr for Decisions {
    type Err = ArtifactError;

    fn from_str(text: &str) -> Result<Self, ArtifactError> {
        let letter = |(index, letter)| match letter {
            'T' => Ok(true),
            'F' => Ok(false),
            other => {
                let message = format!("decision number {} is `{other}`", index + 1);
                Err(ArtifactError::new("", message).help("write T and F only, one letter per decision"))
            }
        };
        text.trim().chars().enumerate().map(letter).collect::<Result<_, _>>().map(Decisions)
    }
}

impl TryFrom<String> for Decisions {
    type Error = ArtifactError;

    fn try_from(text: String) -> Result<Self, ArtifactError> {
        text.parse()
    }
}

impl From<Decisions> for String {
    fn from(decisions: Decisions) -> Self {
        decisions.to_string()
    }
}

/// One end of a range: a path, which belongs to the range.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// The path that the test's execution takes. For an underspecified test, one that leaves inputs open or runs out of
    /// them, this is the least of all paths that its values allow: T wherever both branches are possible.
    Test(TestCase),
    /// The path that takes these branches.
    Decisions(Decisions),
}

/// All paths from `lower` to `upper`, both included; a missing bound excludes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PathRange {
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
}

impl PathRange {
    /// All paths.
    pub fn whole() -> Self {
        Self::default()
    }

    /// The ranges between ascending cuts: one more than there are cuts. Together they hold all paths, and two
    /// neighbours share the path of the cut between them.
    pub fn between(cuts: impl IntoIterator<Item = Bound>) -> Vec<PathRange> {
        let mut ranges = Vec::new();
        let mut lower = None;
        for cut in cuts {
            ranges.push(PathRange { lower, upper: Some(cut.clone()) });
            lower = Some(cut);
        }
        ranges.push(PathRange { lower, upper: None });
        ranges
    }

    /// Whether the path that takes exactly these decisions is in the range; `None` where a bound is a test, since only
    /// an execution shows the decisions of a test.
    pub fn contains(&self, path: &[bool]) -> Option<bool> {
        let lower = decisions(&self.lower)?;
        let upper = decisions(&self.upper)?;
        let above = lower.is_none_or(|lower| compare(lower, path).is_le());
        let below = upper.is_none_or(|upper| compare(path, upper).is_le());
        Some(above && below)
    }

    /// Whether the range may hold a path that begins with these decisions; `None` as for [`PathRange::contains`].
    pub fn may_continue(&self, prefix: &[bool]) -> Option<bool> {
        let lower = decisions(&self.lower)?;
        let upper = decisions(&self.upper)?;
        // A path that goes on from a prefix of the lower bound can still be above it.
        let above = lower.is_none_or(|lower| lower.starts_with(prefix) || compare(lower, prefix).is_le());
        // The prefix itself is the least path that begins with it.
        let below = upper.is_none_or(|upper| compare(prefix, upper).is_le());
        Some(above && below)
    }
}

/// Outer `None`: the bound is a test. Inner `None`: there is no bound.
fn decisions(bound: &Option<Bound>) -> Option<Option<&[bool]>> {
    match bound {
        None => Some(None),
        Some(Bound::Decisions(decisions)) => Some(Some(&decisions.0)),
        Some(Bound::Test(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decisions(text: &str) -> Decisions {
        text.parse().unwrap()
    }

    #[test]
    fn paths_are_ordered_as_in_the_paper() {
        let ascending = ["", "T", "TT", "TTF", "TF", "TFT", "F", "FT", "FF"].map(decisions);
        assert!(ascending.is_sorted());
        assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(decisions("TTF").to_string(), "TTF");
        let error = "TXF".parse::<Decisions>().unwrap_err().to_string();
        assert_eq!(error, "decision number 2 is `X`; write T and F only, one letter per decision");
    }

    #[test]
    fn cuts_make_ranges_that_hold_all_paths() {
        let ranges = PathRange::between(["TTF", "F"].map(|text| Bound::Decisions(decisions(text))));
        assert_eq!(ranges.len(), 3);
        let holding = |text: &str| {
            let path = decisions(text).0;
            ranges.iter().map(|range| range.contains(&path).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(holding("TTT"), [true, false, false]);
        assert_eq!(holding("TTF"), [true, true, false]);
        assert_eq!(holding("TF"), [false, true, false]);
        assert_eq!(holding("F"), [false, true, true]);
        assert_eq!(holding("FF"), [false, false, true]);
        assert_eq!(ranges[1].may_continue(&[true]), Some(true));
        assert_eq!(ranges[1].may_continue(&[true, true, true]), Some(false));
        assert_eq!(ranges[0].may_continue(&[false]), Some(false));
        assert_eq!(PathRange::between([]), [PathRange::whole()]);
        let unknown = PathRange { lower: Some(Bound::Test(TestCase::default())), upper: None };
        assert_eq!(unknown.contains(&[]), None);
    }
}
