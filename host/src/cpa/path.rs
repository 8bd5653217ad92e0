//! Whether an execution follows a path: exact formulas along its edges, and a solver. Paths that begin alike share the work.

use std::time::Duration;
use tandem_plugin_api::error::{ErrorKind, PluginError, Result};
use tandem_plugin_api::program::{CallSiteId, EdgeId, Op, Program};
use tandem_plugin_api::query::Feasibility;
use tandem_plugin_api::service::Host;
use tandem_plugin_api::service::formulas::{Formula, Formulas, Satisfiability, SymbolicState};

/// One path must not take all the time that others need.
const LONGEST: Duration = Duration::from_secs(10);
/// Terms are kept as long as their formulas, so the solver is started anew from time to time.
const CHECKS_PER_SOLVER: u32 = 500;

/// Decides paths, one after the other.
#[derive(Default)]
pub(super) struct Paths {
    formulas: Option<Formulas>,
    initial: Option<SymbolicState>,
    /// The states after the edges of the last path.
    last: Vec<(EdgeId, SymbolicState)>,
    /// Checks since the solver was started.
    checks: u32,
    /// The number of all checks.
    pub checked: u64,
    /// The last path had less time than intended.
    pub hurried: bool,
}

impl Paths {
    /// `None` if this host has no solver.
    pub fn feasibility(&mut self, host: &Host, program: &Program, path: &[EdgeId]) -> Result<Option<Feasibility>> {
        if !returns_match(program, path) {
            let why = "on the path that was found, calls return to where they did not come from";
            return Ok(Some(Feasibility::Undecided(why.into())));
        }
        if self.checks >= CHECKS_PER_SOLVER {
            *self = Paths { checked: self.checked, ..Paths::default() };
        }
        let Some(end) = self.follow(host, path)? else { return Ok(None) };
        let Some(formulas) = &mut self.formulas else { return Ok(None) };
        if end.guard() == Formula::FALSE {
            return Ok(Some(Feasibility::Infeasible));
        }
        let time = host.budget().time.map_or(LONGEST, |left| (left / 3).min(LONGEST));
        self.hurried = time < LONGEST;
        self.checks += 1;
        self.checked += 1;
        Ok(Some(match formulas.check(&[end.guard()], Some(time))? {
            Satisfiability::Unsatisfiable(_) => Feasibility::Infeasible,
            Satisfiability::Unknown(why) => Feasibility::Undecided(why),
            Satisfiability::Satisfiable => {
                Feasibility::Inputs(formulas.inputs(&end)?.iter().map(|input| input.bits).collect())
            }
        }))
    }

    /// The state after the path, or after the part of it that can be passed.
    fn follow(&mut self, host: &Host, path: &[EdgeId]) -> Result<Option<SymbolicState>> {
        if self.formulas.is_none() {
            match host.formulas() {
                Ok(formulas) => self.formulas = Some(formulas),
                Err(error) if error.kind == ErrorKind::Unavailable => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let Some(formulas) = &mut self.formulas else { return Ok(None) };
        let start = match &self.initial {
            Some(state) => state.clone(),
            None => self.initial.insert(formulas.initial()?).clone(),
        };
        let common = self.last.iter().zip(path).take_while(|((known, _), edge)| known == *edge).count();
        self.last.truncate(common);
        let mut at = self.last.last().map_or(start, |(_, state)| state.clone());
        for &edge in &path[common..] {
            if at.guard() == Formula::FALSE {
                break;
            }
            if let Some(reason) = host.stopped() {
                return Err(PluginError::of(ErrorKind::Stopped, reason.to_string()));
            }
            at = formulas.post(&at, edge)?;
            self.last.push((edge, at.clone()));
        }
        Ok(Some(at))
    }
}

/// Whether every return on the path is that of the call on top of the stack. This may be wrong if stacks were dropped.
fn returns_match(program: &Program, path: &[EdgeId]) -> bool {
    let mut open: Vec<CallSiteId> = Vec::new();
    path.iter().all(|&edge| match program.edge(edge).op {
        Op::Call(site) => {
            open.push(site);
            true
        }
        Op::Resume(site) => open.pop() == Some(site),
        _ => true,
    })
}
