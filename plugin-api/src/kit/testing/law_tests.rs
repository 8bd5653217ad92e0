//! Every broken law is noticed: bounds of one counter, with a mistake in one operator at a time.

use super::laws::{Law, check, samples};
use super::{ProgramBuilder, analysis, task};
use crate::abi::SharedTask;
use crate::prelude::*;
use crate::program::BinaryOp;
use std::sync::Arc;

/// Bounds of `x`; the option says which operator is wrong.
struct Bounds {
    program: Arc<Program>,
    wrong: String,
}

impl Plugin for Bounds {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>("bounds", "1.0.0", "Bounds of one counter, with a mistake.").option(
            "wrong",
            "the law that is broken",
            OptionType::Text,
            OptionValue::Text("nothing".into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        Ok(Bounds { program: setup.task.program.clone(), wrong: setup.options.text("wrong")?.to_string() })
    }
}

impl Bounds {
    fn is(&self, wrong: &str) -> bool {
        self.wrong == wrong
    }

    fn within(smaller: (i32, i32), greater: (i32, i32)) -> bool {
        greater.0 <= smaller.0 && smaller.1 <= greater.1
    }
}

impl Analysis for Bounds {
    type State = (i32, i32);
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().indexes();

    fn initial(&self) -> Result<(i32, i32)> {
        Ok((0, 0))
    }

    fn successors(&self, state: &(i32, i32), edge: EdgeId, _: &()) -> Result<Successors<(i32, i32)>> {
        let (low, high) = *state;
        Ok(match self.program.edge(edge).op {
            Op::Assign { .. } if self.is("monotone-transfer") && high - low > 1 => Successors::One((low, low)),
            Op::Assign { .. } => Successors::Many(vec![(low, high), (low, high + 1), (low + 1, high + 1)]),
            _ => Successors::Unchanged,
        })
    }

    fn less_or_equal(&self, smaller: &(i32, i32), greater: &(i32, i32)) -> Result<bool> {
        let less = Self::within(*smaller, *greater);
        Ok(match self.wrong.as_str() {
            "reflexive" => less && smaller != greater,
            // States a little beyond the bounds are accepted, which is not transitive.
            "transitive" => Self::within(*smaller, (greater.0 - 1, greater.1 + 1)),
            // They are ≤ each other, although other states distinguish them.
            "antisymmetric" => less || smaller.0 == 0 && greater.0 == 0 && smaller.1 + greater.1 == 1,
            _ => less,
        })
    }

    fn join(&self, new: &(i32, i32), reached: &(i32, i32)) -> Result<Option<(i32, i32)>> {
        let joined = (new.0.min(reached.0), new.1.max(reached.1));
        Ok(Some(match self.wrong.as_str() {
            "merge-above-reached" => *new,
            "merge-above-new" => *reached,
            _ => joined,
        }))
    }

    fn stop(&self, state: &(i32, i32), reached: &(i32, i32), _: &()) -> Result<bool> {
        Ok(self.is("stop-means-less") || Self::within(*state, *reached))
    }

    fn adjust(&self, state: &(i32, i32), _: LocationId, _: &()) -> Result<Adjusted<(i32, i32), ()>> {
        let wider = if self.is("adjust-above") { (state.0, state.0) } else { (state.0.min(0), state.1) };
        Ok(Adjusted { state: (wider != *state && self.is("adjust-above")).then_some(wider), ..Adjusted::default() })
    }

    fn describe(&self, state: &(i32, i32)) -> Result<String> {
        Ok(format!("{}..{}", state.0, state.1))
    }
}

impl Indexes for Bounds {
    fn partition(&self, state: &(i32, i32)) -> Result<Option<u64>> {
        Ok(self.is("partition").then_some(state.1 as u64))
    }

    fn cover_key(&self, state: &(i32, i32)) -> Result<Option<CoverKey>> {
        let values = if self.is("cover-key") { state.1 as u64 } else { 0 };
        Ok(Some(CoverKey { bits: 1, shape: 7, values }))
    }
}

/// `while (x < 5) x = x + 1;`
fn counting() -> SharedTask {
    let mut builder = ProgramBuilder::new("loop.c");
    let main = builder.function("main");
    let (entry, exit) = builder.body(main);
    let x = builder.global("x");
    let (place, five, one) = (builder.variable(x), builder.int(5), builder.int(1));
    let less = builder.binary(BinaryOp::Lt, place, five);
    let sum = builder.binary(BinaryOp::Add, place, one);
    let inside = builder.location(main);
    builder.branch(entry, less, inside, exit);
    builder.edge(inside, entry, Op::Assign { target: place, value: sum });
    task(builder.finish(main))
}

fn broken_laws(wrong: &str) -> Vec<Law> {
    let task = counting();
    let analysis = analysis::<Bounds>(&task, &[("wrong", OptionValue::Text(wrong.into()))]).unwrap();
    let samples = samples(&analysis, task.program(), 60, 1).unwrap();
    assert!(samples.len() > 40, "{} states", samples.len());
    let report = check(&analysis, task.program(), &samples, 12, &[]).unwrap();
    if wrong == "nothing" {
        for law in Law::ALL.into_iter().filter(|law| *law != Law::AdjustAbove && *law != Law::Antisymmetric) {
            assert!(report.checked.get(&law).is_some_and(|&count| count > 10), "{law}: {:?}", report.checked);
        }
    }
    for broken in &report.broken {
        assert!(broken.to_string().contains("..") && broken.to_string().contains(broken.law.name()), "{broken}");
    }
    report.broken.iter().map(|broken| broken.law).collect()
}

#[test]
fn a_lawful_analysis_passes() {
    assert_eq!(broken_laws("nothing"), []);
}

#[test]
fn each_broken_law_is_noticed() {
    for law in Law::ALL {
        let broken = broken_laws(law.name());
        assert!(broken.contains(&law), "{law}: only {broken:?}");
        assert_eq!(Law::of_name(law.name()), Some(law));
    }
}

#[test]
fn what_is_excused_is_not_checked() {
    let task = counting();
    let wrong = [("wrong", OptionValue::Text("merge-above-new".into()))];
    let analysis = analysis::<Bounds>(&task, &wrong).unwrap();
    let samples = samples(&analysis, task.program(), 60, 1).unwrap();
    let report = check(&analysis, task.program(), &samples, 12, &[Law::MergeAboveNew]).unwrap();
    assert!(report.broken.is_empty() && !report.checked.contains_key(&Law::MergeAboveNew));
}
