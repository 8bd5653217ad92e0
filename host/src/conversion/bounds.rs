//! Finds the tightest of several bounds of one expression, so that a reader need not look at the others.

use tandem_plugin_api::artifact::{Invariant, Invariants};

/// Of several bounds of one expression at one place, the tightest: `x <= 3` implies `x <= 7`.
pub fn tightest(all: &Invariants) -> Invariants {
    let weaker = |one: &Invariant, other: &Invariant| match (bound(one), bound(other)) {
        (Some((side, expression, limit)), Some((other_side, other_expression, other_limit))) => {
            let same = one.location == other.location && (side, expression) == (other_side, other_expression);
            same && if side == Side::Upper { limit > other_limit } else { limit < other_limit }
        }
        _ => false,
    };
    all.iter().filter(|one| !all.iter().any(|other| weaker(one, other))).cloned().collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// An invariant of the form `e <= 3` or `3 <= e`, and the like with `>=`.
fn bound(invariant: &Invariant) -> Option<(Side, &str, i128)> {
    let text = invariant.expression.text();
    let (left, right, less) = match (text.split_once(" <= "), text.split_once(" >= ")) {
        (Some((left, right)), None) => (left, right, true),
        (None, Some((left, right))) => (left, right, false),
        _ => return None,
    };
    let upper = |is_upper| if is_upper { Side::Upper } else { Side::Lower };
    match (left.trim().parse(), right.trim().parse()) {
        (Err(_), Ok(limit)) => Some((upper(less), left.trim(), limit)),
        (Ok(limit), Err(_)) => Some((upper(!less), right.trim(), limit)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{Condition, InvariantKind};

    #[test]
    fn only_the_tightest_bounds_are_kept() {
        let invariant = |text: &str| Invariant {
            location: "main:entry".into(),
            kind: InvariantKind::Loop,
            expression: Condition::in_function("main", text),
            origin: "test".into(),
            checked: true,
        };
        let texts = ["x <= 3", "x <= 7", "0 <= x", "x >= -1", "y <= 9", "x <= y", "x < 2"];
        let kept = tightest(&texts.into_iter().map(invariant).collect());
        let kept: Vec<&str> = kept.iter().map(|invariant| invariant.expression.text()).collect();
        assert_eq!(kept, ["0 <= x", "x < 2", "x <= 3", "x <= y", "y <= 9"]);
    }
}
