//! Which claims are invariants together: each holds at the first visit of its loop, and every iteration keeps all of
//! them. That is a proof if nothing can happen that formulas do not describe; and the property may follow from it at
//! once.

use crate::frontend::parse_expression;
use crate::smt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Invariants;
use tandem_plugin_api::error::Result;
use tandem_plugin_api::program::{ExprKind, LocationId, Program};
use tandem_plugin_api::service::formulas::{Expressions, FormulaService, Satisfiability};
use tandem_plugin_api::service::{Budget, Host, LogLevel, Note, ParsedExpression, Scope, Services, StopSignal};
use tandem_plugin_api::task::{Inputs, Task};
use tandem_plugin_api::unroll::{Candidates, Effort, Explorer, Hints, Loops, Search, as_invariants, keep_inductive};

/// The time limit of a query about one claim.
const PATIENCE: Duration = Duration::from_millis(300);

/// The result of an induction over all loops.
pub struct Induction {
    program: Arc<Program>,
    pool: Expressions,
    kept: Candidates,
    /// The error cannot be reached if the kept claims hold.
    pub proves_property: bool,
}

impl Induction {
    /// Looks for the claims about loops that are inductive together, bit-precisely, and proven by that. If this is not
    /// decided before the deadline, no claim is kept.
    pub fn of(task: &Task, claimed: &Invariants, deadline: Instant, stop: &StopSignal) -> Induction {
        let program = Arc::clone(&task.program);
        let host = Host::new(Arc::new(Alone { program: Arc::clone(&program), stop: stop.clone(), deadline }));
        let pool = Expressions::of(&program);
        let mut induction = Induction { program, pool, kept: Candidates::default(), proves_property: false };
        if let Err(error) = induction.run(task, claimed, deadline, &host) {
            host.debug(&error.to_string());
            induction.kept.clear();
        }
        induction
    }

    fn run(&mut self, task: &Task, claimed: &Invariants, deadline: Instant, host: &Host) -> Result<()> {
        let mut hints = Hints::new(&task.program);
        hints.take_inputs(&Inputs { invariants: Some(claimed.clone()), ..Inputs::default() });
        if hints.add_to(&mut self.kept, &mut self.pool, host) == 0 {
            return Ok(());
        }
        let mut search = Search::new(task, host)?;
        search.formulas.extend(&task.program, &self.pool)?;
        let effort = Effort { query: PATIENCE, deadline: Some(deadline), at_once: true, apart: false };
        keep_inductive(&mut search, &mut self.kept, effort)?;
        if self.kept.values().all(Vec::is_empty) {
            return Ok(());
        }
        let explorer = Explorer::new(task, host, &mut search.formulas, Loops::Induction(0));
        let exploration = explorer.at_once().with(&self.kept).run()?;
        // Recursion beyond the bound, or something that formulas do not describe: no proof.
        let open = [exploration.cuts.as_slice(), exploration.dangers.as_slice()].concat();
        let open = search.formulas.or(&open)?;
        let left = deadline.saturating_duration_since(Instant::now());
        if !matches!(search.formulas.check(&[open], Some(left))?, Satisfiability::Unsatisfiable(_)) {
            self.kept.clear();
            return Ok(());
        }
        search.patience = Some(deadline.saturating_duration_since(Instant::now()));
        // An error of the solver here leaves the invariants proven.
        self.proves_property = matches!(search.induction(&exploration), Ok(Ok(_)));
        Ok(())
    }

    /// The claims that were proven, each part on its own.
    pub fn invariants(&self) -> Invariants {
        as_invariants(&self.program, &self.pool, &self.kept, "tandem", true)
    }

    /// Whether all parts of a claim about a place were proven.
    pub fn proves(&mut self, at: LocationId, text: &str) -> bool {
        let Some(kept) = self.kept.get(&at) else { return false };
        let parsed = parse_expression(&self.program, text, Scope::Location(at));
        let root = parsed.and_then(|parsed| self.pool.add(&self.program, &parsed));
        let Ok(root) = root else { return false };
        let mut open = vec![root];
        while let Some(part) = open.pop() {
            match self.pool.exprs.kind(part) {
                ExprKind::And { lhs, rhs } => open.extend([lhs, rhs]),
                _ if kept.contains(&part) => {}
                _ => return false,
            }
        }
        true
    }
}

/// The host for one question, without other actors.
struct Alone {
    program: Arc<Program>,
    stop: StopSignal,
    deadline: Instant,
}

impl Services for Alone {
    fn log(&self, _: LogLevel, _: &str) {}

    fn stop_signal(&self) -> StopSignal {
        self.stop.clone()
    }

    fn budget(&self) -> Budget {
        Budget { time: Some(self.deadline.saturating_duration_since(Instant::now())), memory: None }
    }

    fn note(&self, _: &Note) {}

    fn parse_expression(&self, text: &str, scope: Scope) -> Result<ParsedExpression> {
        crate::frontend::parse_expression(&self.program, text, scope)
    }

    fn formulas(&self) -> Result<Box<dyn FormulaService>> {
        Ok(Box::new(smt::Session::new(Arc::clone(&self.program), smt::solver::start(), self.stop.clone())))
    }
}
