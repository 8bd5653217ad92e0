//! Laws of the artifacts on random ones: transfer loses nothing, ill-formed automata are refused for the right rule,
//! coverage is that of Def. 3, values keep their bits.

use super::gia::{GiaPart, State};
use super::test_support::{any_gia, any_parts, build, sample_program, well_formed_parts};
use super::*;
use crate::program::{EdgeId, FloatKind};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

const EDGES: u32 = 17;

fn assert_survives_transfer<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), *value, "postcard");
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "JSON");
}

/// Def. 2 word for word, to compare with: the broken rules.
fn broken_rules(states: &[State], initial: StateId, transitions: &[Transition]) -> Vec<&'static str> {
    let acceptance = |id: StateId| states[id.index()].acceptance;
    let leaves = |set| transitions.iter().any(|t| acceptance(t.source) == set && acceptance(t.target) != set);
    let loops = |id: usize| {
        transitions
            .iter()
            .any(|t| t.source.index() == id && t.target.index() == id && t.edges.is_any() && t.condition.is_true())
    };
    let mut broken = Vec::new();
    if !states[initial.index()].invariant.is_true() {
        broken.push("initial");
    }
    if leaves(Acceptance::Ut) {
        broken.push("1");
    }
    if leaves(Acceptance::Rt) {
        broken.push("2");
    }
    if (0..states.len()).any(|id| states[id].acceptance == Acceptance::Cand && !loops(id)) {
        broken.push("3");
    }
    broken
}

fn rule_of(error: &GiaError) -> &'static str {
    match error {
        GiaError::InitialInvariant { .. } => "initial",
        GiaError::LeavesUt { .. } => "1",
        GiaError::LeavesRt { .. } => "2",
        GiaError::CandWithoutLoop { .. } => "3",
        other => panic!("no rule: {other}"),
    }
}

/// Def. 3 word for word: all runs along all prefixes of the path.
fn covered_by_enumeration(gia: &Gia, path: &[EdgeId], holds: &dyn Fn(&Condition, usize) -> bool) -> AcceptanceSet {
    fn runs(
        gia: &Gia,
        at: StateId,
        step: usize,
        path: &[EdgeId],
        holds: &dyn Fn(&Condition, usize) -> bool,
        covered: &mut AcceptanceSet,
    ) {
        if !holds(&gia.state(at).invariant, step) {
            return;
        }
        covered.insert(gia.acceptance(at));
        let Some(&edge) = path.get(step) else { return };
        for t in gia.transitions().iter().filter(|t| t.source == at) {
            let labelled = t.edges.edges().is_none_or(|edges| edges.contains(&edge));
            if labelled && holds(&t.condition, step + 1) {
                runs(gia, t.target, step + 1, path, holds, covered);
            }
        }
    }
    let mut covered = AcceptanceSet::default();
    runs(gia, gia.initial(), 0, path, holds, &mut covered);
    covered
}

/// A fixed but arbitrary meaning of conditions.
fn arbitrary_truth(condition: &Condition, step: usize, seed: u64) -> bool {
    let hash = condition
        .text()
        .bytes()
        .fold(seed ^ (step as u64) << 7, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    condition.is_true() || (hash >> 17) % 3 != 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gias_survive_transfer(gia in any_gia(EDGES)) {
        assert_survives_transfer(&gia);
    }

    #[test]
    fn gias_survive_files(gia in any_gia(EDGES), notes in prop::collection::vec("[a-z\"]{1,5}", 0..3)) {
        let program = sample_program();
        let mut document = GiaDocument::new(gia);
        document.program_hash = Some("0a".repeat(32));
        notes.iter().for_each(|note| document.soundness.unsound(note.as_str()));
        let text = document.to_json(&program).unwrap();
        prop_assert_eq!(&GiaDocument::from_json(&text, &program).unwrap(), &document);
        prop_assert_eq!(text, document.to_json(&program).unwrap());
    }

    #[test]
    fn the_order_of_transitions_does_not_matter((states, initial, transitions) in well_formed_parts(EDGES)) {
        let twice_backwards = transitions.iter().rev().chain(&transitions).cloned().collect();
        let gia = build((states.clone(), initial, transitions));
        prop_assert_eq!(build((states, initial, twice_backwards)), gia);
    }

    #[test]
    fn exactly_the_ill_formed_are_refused((states, initial, transitions) in any_parts(EDGES)) {
        let broken = broken_rules(&states, initial, &transitions);
        match build((states.clone(), initial, transitions.clone())) {
            Ok(gia) => {
                prop_assert!(broken.is_empty());
                for (index, transition) in gia.transitions().iter().enumerate() {
                    prop_assert!(gia.leaving(transition.source).contains(transition));
                    prop_assert!(index == 0 || gia.transitions()[index - 1] < *transition);
                }
                let leaving: usize = gia.state_ids().map(|id| gia.leaving(id).len()).sum();
                prop_assert_eq!(leaving, gia.transitions().len());
            }
            Err(error) => {
                prop_assert!(broken.contains(&rule_of(&error)), "{} but broken: {:?}", error, broken);
                match error.part() {
                    GiaPart::State(index) => prop_assert!(index < states.len()),
                    GiaPart::Transition(index) => prop_assert!(index < transitions.len()),
                    GiaPart::Whole => prop_assert!(false, "{}", error),
                }
            }
        }
    }

    #[test]
    fn each_rule_is_checked_alone((states, initial, transitions) in well_formed_parts(EDGES), rule in 0..4) {
        let (mut states, mut transitions) = (states, transitions);
        let fresh = |name: &str, acceptance| State { name: name.into(), invariant: Condition::always(), acceptance };
        let first = StateId(states.len() as u32);
        let expected = match rule {
            0 => {
                states[initial.index()].invariant = Condition::global("g > 0");
                "initial"
            }
            1 | 2 => {
                let set = if rule == 1 { Acceptance::Ut } else { Acceptance::Rt };
                states.extend([fresh("from", set), fresh("to", Acceptance::None)]);
                let (source, target) = (first, StateId(first.0 + 1));
                // Even a transition that no edge matches breaks the rule.
                transitions.push(Transition { source, edges: EdgeSet::of([]), condition: Condition::always(), target });
                if rule == 1 { "1" } else { "2" }
            }
            _ => {
                states.push(fresh("c", Acceptance::Cand));
                let condition = Condition::global("g > 0");
                transitions.push(Transition { source: first, edges: EdgeSet::any(), condition, target: first });
                transitions.push(Transition {
                    source: first,
                    edges: EdgeSet::of((0..EDGES).map(EdgeId)),
                    condition: Condition::always(),
                    target: first,
                });
                "3"
            }
        };
        let error = build((states.clone(), initial, transitions.clone())).unwrap_err();
        prop_assert_eq!(rule_of(&error), expected);
        // The same must be refused when it comes in as bytes: a GIA has the layout of its parts.
        let bytes = postcard::to_stdvec(&(states, initial, transitions)).unwrap();
        prop_assert!(postcard::from_bytes::<Gia>(&bytes).is_err());
    }

    #[test]
    fn coverage_is_that_of_definition_3(
        gia in any_gia(3),
        path in prop::collection::vec((0..3u32).prop_map(EdgeId), 0..6),
        seed in any::<u64>(),
    ) {
        let expected = covered_by_enumeration(&gia, &path, &|condition, step| arbitrary_truth(condition, step, seed));
        let mut holds = |condition: &Condition, step| {
            assert!(!condition.is_true() && (1..=path.len()).contains(&step));
            arbitrary_truth(condition, step, seed)
        };
        let covered = gia.covers(&path, &mut holds);
        prop_assert_eq!(covered, expected);
        // Coverage only grows along a path.
        for length in 0..path.len() {
            let prefix = gia.covers(&path[..length], &mut |c, i| arbitrary_truth(c, i, seed));
            prop_assert!(prefix.iter().all(|x| covered.contains(x)));
        }
    }

    #[test]
    fn noise_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = postcard::from_bytes::<Gia>(&bytes);
        let _ = postcard::from_bytes::<Outcome>(&bytes);
        let _ = GiaDocument::from_json(&String::from_utf8_lossy(&bytes), &sample_program());
    }

    #[test]
    fn damaged_files_are_refused_without_panic(gia in any_gia(EDGES), cut in 0usize..4000, junk in ".{0,3}") {
        let program = sample_program();
        let text = GiaDocument::new(gia).to_json(&program).unwrap();
        let mut cut = cut % text.len();
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let whole = text.trim_end().len();
        let truncated = GiaDocument::from_json(&text[..cut], &program);
        prop_assert!(truncated.is_err() || cut >= whole);
        let _ = GiaDocument::from_json(&format!("{}{junk}{}", &text[..cut], &text[cut..]), &program);
    }

    #[test]
    fn integers_keep_their_bits(width in 1u32..=128, signed in any::<bool>(), bits in any::<u128>()) {
        let ty = ValueType::Int { width, signed: signed && width > 1 };
        let value = InputValue::from_bits(ty, bits);
        assert_survives_transfer(&value);
        prop_assert_eq!(&InputValue::parse(&value.to_string(), ty).unwrap(), &value);
        let hex = format!("{:#x}", value.bits().unwrap());
        prop_assert_eq!(&InputValue::parse(&hex, ty).unwrap(), &value);
        prop_assert_eq!(InputValue::Text(value.to_string().into()).typed(ty).unwrap(), value);
    }

    #[test]
    fn floats_keep_their_bits(kind in 0..4, bits in any::<u128>(), shape in 0..4) {
        let kind = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128][kind as usize];
        let ty = ValueType::Float(kind);
        // Random bits are nearly always huge or tiny: also try few bits at either end, and NaNs.
        let bits = match shape {
            0 => bits,
            1 => bits & 0xff,
            2 => bits << (ty.bits() - 20),
            _ => bits | 0x7ff << (ty.bits() - 12),
        };
        let value = InputValue::from_bits(ty, bits);
        assert_survives_transfer(&value);
        prop_assert_eq!(InputValue::parse(&value.to_string(), ty).unwrap(), value);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}", number in "[-+]?(0x)?[0-9a-f.]{0,6}([ep][-+]?[0-9]{1,12})?[fulL]{0,2}") {
        for ty in [
            ValueType::Int { width: 8, signed: true },
            ValueType::Float(FloatKind::Double),
            ValueType::Float(FloatKind::LongDouble),
            ValueType::Float(FloatKind::Float128),
        ] {
            let _ = InputValue::parse(&text, ty);
            if let Ok(value) = InputValue::parse(&number, ty) {
                prop_assert_eq!(InputValue::parse(&value.to_string(), ty).unwrap(), value);
            }
        }
    }

    #[test]
    fn ranges_hold_what_lies_between(
        lower in prop::collection::vec(any::<bool>(), 0..5),
        upper in prop::collection::vec(any::<bool>(), 0..5),
        prefix in prop::collection::vec(any::<bool>(), 0..4),
    ) {
        let range = PathRange {
            lower: Some(Bound::Decisions(Decisions(lower))),
            upper: Some(Bound::Decisions(Decisions(upper))),
        };
        assert_survives_transfer(&range);
        // By enumeration of all short paths that begin with the prefix.
        let mut some = false;
        for bits in 0..64u32 {
            for length in 0..=6 {
                let mut path = prefix.clone();
                path.extend((0..length).map(|index| bits >> index & 1 == 1));
                some |= range.contains(&path).unwrap();
            }
        }
        // An empty range may look open from afar, but nothing that is in the range may be cut off.
        prop_assert!(!some || range.may_continue(&prefix).unwrap());
        prop_assert!(range.contains(&prefix) != Some(true) || range.may_continue(&prefix).unwrap());
    }

    #[test]
    fn merging_invariants_forgets_nothing_and_knows_no_order(
        claims in prop::collection::vec((0..3, 0..2, any::<bool>(), 0..3), 0..12),
        cut in 0usize..12,
    ) {
        let list: Vec<Invariant> = claims.iter().map(|(place, text, checked, origin)| Invariant {
            location: format!("before main:{place}:1:skip").into(),
            kind: InvariantKind::Loop,
            expression: Condition::in_function("main", format!("x > {text}")),
            origin: format!("tool {origin}"),
            checked: *checked,
        }).collect();
        let all: Invariants = list.iter().cloned().collect();
        assert_survives_transfer(&all);
        let (left, right) = list.split_at(cut.min(list.len()));
        let mut merged: Invariants = right.iter().cloned().collect();
        merged.merge(left.iter().cloned().collect());
        prop_assert_eq!(&merged, &all);
        for claim in &list {
            let kept = all.at(&claim.location).iter().find(|known| known.expression == claim.expression).unwrap();
            prop_assert!(kept.checked || !claim.checked);
            prop_assert!(list.contains(kept), "a claim comes from neither of the lists");
        }
    }
}

/// All sequences of at most `length` of these edges.
fn all_paths(edges: u32, length: usize) -> Vec<Vec<EdgeId>> {
    let mut paths = vec![Vec::new()];
    let mut last: Vec<Vec<EdgeId>> = paths.clone();
    for _ in 0..length {
        let longer = |path: &Vec<EdgeId>| {
            let path = path.clone();
            (0..edges).map(move |edge| path.iter().copied().chain([EdgeId(edge)]).collect::<Vec<_>>())
        };
        last = last.iter().flat_map(longer).collect();
        paths.extend(last.iter().cloned());
    }
    paths
}

/// Ut and rt coverage, where conditions mean what `seed` says; for `None`, no condition but `true` holds.
fn settled(gia: &Gia, path: &[EdgeId], seed: Option<u64>) -> (bool, bool) {
    let holds = |condition: &Condition, step: usize| seed.is_some_and(|seed| arbitrary_truth(condition, step, seed));
    let covered = gia.covers(path, &mut |condition, step| holds(condition, step));
    (covered.contains(Acceptance::Ut), covered.contains(Acceptance::Rt))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Theorem 2: nothing is lost and nothing is invented, for all paths of up to four of three edges; and a contradiction is
    /// reported exactly if there is one under all conditions.
    #[test]
    fn the_combiner_keeps_what_both_know(first in any_gia(3), second in any_gia(3), seed: u64) {
        let paths = all_paths(3, 4);
        let contradicts = |path: &[EdgeId], seed| {
            let ((ut1, rt1), (ut2, rt2)) = (settled(&first, path, seed), settled(&second, path, seed));
            (ut1 && rt2) || (rt1 && ut2)
        };
        match first.combine(&second) {
            Err(Inconsistent { path }) => {
                let path: Vec<EdgeId> = path.into_iter().map(|edge| edge.unwrap_or(EdgeId(0))).collect();
                prop_assert!(contradicts(&path, None), "{path:?} is no contradiction");
            }
            Ok(combined) => {
                prop_assert!(!paths.iter().any(|path| contradicts(path, None)), "a contradiction went unnoticed");
                if first != Gia::nothing_known() && !paths.iter().any(|path| contradicts(path, Some(seed))) {
                    for path in &paths {
                        let ((ut1, rt1), (ut2, rt2)) =
                            (settled(&first, path, Some(seed)), settled(&second, path, Some(seed)));
                        let both = (ut1 || ut2, rt1 || rt2);
                        prop_assert_eq!(settled(&combined, path, Some(seed)), both, "{:?}: {:?}", path, combined);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn knowing_nothing_adds_nothing(gia in any_gia(EDGES)) {
        prop_assert_eq!(Gia::nothing_known().combine(&gia).unwrap(), gia.clone());
        prop_assert_eq!(gia.combine(&Gia::nothing_known()).unwrap(), gia);
    }

    #[test]
    fn states_that_lead_nowhere_do_not_matter(gia in any_gia(3), seed: u64) {
        let trimmed = gia.without_dead_ends();
        for path in all_paths(3, 4) {
            let covered = |gia: &Gia| gia.covers(&path, &mut |condition, step| arbitrary_truth(condition, step, seed));
            prop_assert_eq!(covered(&trimmed), covered(&gia));
        }
    }
}
