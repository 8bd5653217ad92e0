//! The goals analysis: follows only paths that may still lead to an open goal, and drops goals that others covered while
//! it runs. In a product it spares the other analyses all paths that lead to no goal.

mod coverage;
mod reach;

use coverage::Coverage;
use reach::Reach;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use tandem_plugin_api::prelude::*;

/// Edges between two checks of what others found.
const PATIENCE: u32 = 64;

struct Goals {
    task: Arc<Task>,
    /// Goals that are open, and from where they can be reached.
    reach: RefCell<Reach>,
    coverage: RefCell<Coverage>,
    since_last_look: Cell<u32>,
    ended_paths: Cell<u64>,
    host: Host,
}

impl Plugin for Goals {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "goals",
            env!("CARGO_PKG_VERSION"),
            "Follows only paths that may still lead to an open goal; goals that others covered are dropped.",
        )
        .details(
            "For products. Its only state says \"anywhere\"; a path ends where the graph has no way to an open goal: to the \
             error where a program is verified, to a branch that no test takes where it is tested. That is sound for proofs, \
             since no path to the error is left out. Tests and automata of other actors are read while it runs: tests are \
             executed, and every goal that one takes is open no longer. Good with analyses that follow many paths (value, \
             symbolic); alone it does what the location analysis does.",
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let task = setup.task.clone();
        Ok(Goals {
            reach: RefCell::new(Reach::new(&task.program, task.targets.clone())),
            coverage: RefCell::default(),
            task,
            since_last_look: Cell::new(0),
            ended_paths: Cell::new(0),
            host: setup.host.clone(),
        })
    }
}

impl Goals {
    /// Drops the goals that these tests and automata cover. A verification task has one goal; tests do not close it.
    fn drop_covered(&self, tests: &[TestCase], automata: &[&Gia]) {
        if !self.task.property.is_coverage() || (tests.is_empty() && automata.is_empty()) {
            return;
        }
        let mut covered = self.coverage.borrow_mut().of_tests(tests, &self.host);
        covered.extend(automata.iter().flat_map(|gia| coverage::of_automaton(gia)));
        if self.reach.borrow_mut().drop_goals(&self.task.program, &covered) {
            let open = self.reach.borrow().open();
            self.host.debug(&format!("{open} of {} goals are open", self.task.targets.len()));
        }
    }

    fn look_at_others(&self) -> Result<()> {
        let since = self.since_last_look.get() + 1;
        if since < PATIENCE {
            self.since_last_look.set(since);
            return Ok(());
        }
        self.since_last_look.set(0);
        let found = self.host.incoming()?;
        let (mut tests, mut automata) = (Vec::new(), Vec::new());
        for artifact in &found {
            match artifact {
                Artifact::Tests(suite) => tests.extend(suite.tests.iter().cloned()),
                Artifact::Gia(gia) => automata.push(gia),
                _ => {}
            }
        }
        self.drop_covered(&tests, &automata);
        Ok(())
    }
}

impl Analysis for Goals {
    type State = ();
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().concludes();

    fn start(&mut self, inputs: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        let tests = inputs.tests.as_ref().map_or(&[][..], |suite| &suite.tests);
        self.drop_covered(tests, &[&inputs.gia]);
        Ok(())
    }

    fn initial(&self) -> Result<()> {
        Ok(())
    }

    fn successors(&self, _: &(), edge: EdgeId, _: &()) -> Result<Successors<()>> {
        self.look_at_others()?;
        let reach = self.reach.borrow();
        if reach.is_wanted(edge) || reach.leads_on(self.task.program.edge(edge).to) {
            return Ok(Successors::Unchanged);
        }
        self.ended_paths.set(self.ended_paths.get() + 1);
        Ok(Successors::None)
    }

    fn less_or_equal(&self, _: &(), _: &()) -> Result<bool> {
        Ok(true)
    }

    fn join(&self, _: &(), _: &()) -> Result<Option<()>> {
        Ok(Some(()))
    }

    fn ignores_call_stack(&self) -> bool {
        true
    }
}

impl Concludes for Goals {
    fn finish(&self, _: bool) -> Result<Vec<(String, String)>> {
        let open = self.reach.borrow().open();
        Ok(vec![
            ("goals: open".into(), open.to_string()),
            ("goals: paths that lead to no goal".into(), self.ended_paths.get().to_string()),
        ])
    }
}

tandem_plugin_api::export_plugin!(Goals);

#[cfg(test)]
mod tests;
