//! Explorations that end again and again and are continued find what a single one finds.

use crate::analyses::{Anywhere, Ranges, Tracker};
use crate::{ORDERS, component, counting_loop, flag, late_call, two_callers};
use std::cell::Cell;
use tandem::cpa::{Component, End, Exploration, Settings};
use tandem_plugin_api::abi::SharedTask;
use tandem_plugin_api::prelude::*;

/// Has no information, and ends the exploration after every so many states.
struct Breaker {
    every: u64,
    seen: Cell<u64>,
    apart: bool,
}

impl Plugin for Breaker {
    type Kind = kind::Analysis;
    fn descriptor() -> Descriptor {
        let number = OptionType::Integer { min: 0, max: 1000 };
        Descriptor::of::<Self>("breaker", "1.0.0", "Ends explorations.")
            .option("every", "so many states", number, OptionValue::Integer(0))
            .option("apart", "keep states apart", OptionType::Bool, OptionValue::Bool(false))
    }
    fn new(setup: &Setup) -> Result<Self> {
        let every = u64::try_from(setup.options.integer("every")?).unwrap_or(0);
        Ok(Breaker { every, seen: Cell::new(0), apart: setup.options.bool("apart")? })
    }
}

impl Analysis for Breaker {
    type State = ();
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().indexes();
    fn initial(&self) -> Result<()> {
        Ok(())
    }
    fn successors(&self, (): &(), _: EdgeId, (): &()) -> Result<Successors<()>> {
        Ok(Successors::Unchanged)
    }
    fn adjust(&self, (): &(), _: LocationId, (): &()) -> Result<Adjusted<(), ()>> {
        self.seen.set(self.seen.get() + 1);
        let stop_here = self.every > 0 && self.seen.get().is_multiple_of(self.every);
        Ok(Adjusted { stop_here, ..Adjusted::default() })
    }
    fn less_or_equal(&self, (): &(), (): &()) -> Result<bool> {
        Ok(true)
    }
    fn ignores_call_stack(&self) -> bool {
        !self.apart
    }
}

impl Indexes for Breaker {
    fn merges(&self) -> bool {
        false
    }
    fn keeps_apart(&self) -> bool {
        self.apart
    }
}

type Components = fn(&SharedTask) -> Vec<Component>;

/// The results, and how often the exploration ended before it was complete.
fn explore(task: &SharedTask, components: Components, every: i64, settings: Settings) -> (String, Vec<String>, u32) {
    let mut list = components(task);
    list.push(component::<Breaker>(task, &[("every", OptionValue::Integer(every))]));
    let mut exploration = Exploration::new(task.task(), list, settings);
    let host = Host::silent();
    let mut breaks = 0;
    loop {
        let end = exploration.run(&Inputs::default(), &host).unwrap();
        if end != End::AnalysisBroke {
            let outcome = exploration.outcome(&end);
            let product = exploration.product();
            let describe = |(_, node): (_, &tandem::cpa::Node)| {
                format!("{} {}", node.location, product.describe(&node.parts).unwrap())
            };
            let mut states: Vec<String> = exploration.arg().nodes().map(describe).collect();
            states.sort();
            states.dedup();
            // Which way to a target is found first depends on the order, and reasons name the way.
            let verdict = outcome.verdict.to_string();
            return (verdict.split(' ').next().unwrap_or_default().to_string(), states, breaks);
        }
        breaks += 1;
        assert!(breaks < 10_000, "it does not go on");
    }
}

#[test]
fn an_exploration_that_ends_early_goes_on() {
    let tasks = [two_callers(), late_call(), counting_loop()];
    let merged: Components = |task| vec![component::<Ranges>(task, &[])];
    let without_stacks: Components = |task| vec![component::<Ranges>(task, &[flag("ignore-calls")])];
    let flat: Components = |task| vec![component::<Ranges>(task, &[flag("ignore-calls"), flag("flat")])];
    let nowhere: Components = |task| vec![component::<Anywhere>(task, &[])];
    let tracked: Components = |task| vec![component::<Tracker>(task, &[])];
    for (number, task) in tasks.iter().enumerate() {
        for (kind, components) in [merged, without_stacks, flat, nowhere, tracked].into_iter().enumerate() {
            // Those that keep values apart would count to a million.
            if number == 2 && (kind == 2 || kind == 4) {
                continue;
            }
            for order in ORDERS {
                let settings = Settings { order, ..Settings::default() };
                let (verdict, states, _) = explore(task, components, 0, settings);
                for every in [1, 2, 3, 5] {
                    let (with, found, breaks) = explore(task, components, every, settings);
                    let what = format!("task {number}, analysis {kind}, {order:?}, every {every}: {breaks}");
                    assert_eq!(with, verdict, "{what}");
                    // The states that widening makes depend on their order.
                    assert!(kind < 2 || found == states, "{what}: {found:?}, not {states:?}");
                    assert!(breaks > 0 || every > 2, "{what}");
                }
            }
        }
    }
}

/// Where states are kept apart, none comes twice.
#[test]
fn what_is_kept_apart_is_explored_once() {
    let task = two_callers();
    let states = |every| {
        let options = [("every", OptionValue::Integer(every)), flag("apart")];
        let components = vec![component::<Ranges>(&task, &[flag("flat")]), component::<Breaker>(&task, &options)];
        let mut exploration = Exploration::new(task.task(), components, Settings::default());
        let host = Host::silent();
        while exploration.run(&Inputs::default(), &host).unwrap() == End::AnalysisBroke {}
        exploration.arg().len()
    };
    let all = states(0);
    assert!(all > 5);
    for every in [1, 2, 3, 4] {
        assert_eq!(states(every), all, "every {every}");
    }
}
