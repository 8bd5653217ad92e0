//! Which claims are invariants together: each holds at the first visit of its loop, and every iteration keeps all of
//! them. That is a proof if nothing can happen that formulas do not describe; and the property may follow from it at
//! once.

use crate::conversion::tightest;
use crate::frontend::parse_expression;
use crate::services::HostServices;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tandem_plugin_api::artifact::Invariants;
use tandem_plugin_api::error::Result;
use tandem_plugin_api::kit::unroll::{
    Candidates, Effort, Explorer, Hints, Loops, Search, as_invariants, keep_inductive,
};
use tandem_plugin_api::program::{ExprId, ExprKind, LocationId, Program};
use tandem_plugin_api::service::formulas::{Expressions, Satisfiability};
use tandem_plugin_api::service::{Host, Scope, StopSignal};
use tandem_plugin_api::task::{Inputs, Task};

/// The time limit of a query about one claim.
const PATIENCE: Duration = Duration::from_millis(300);

/// The claims that reports and witnesses present as invariants: those that are inductive together. If the property follows from these, only
/// those are kept that its proof needs. They hold at every visit of their loops.
pub fn proven(task: &Task, claimed: &Invariants, deadline: Instant, stop: &StopSignal) -> Invariants {
    let mut induction = Induction::of(task, claimed, deadline, stop);
    if induction.proves_property {
        induction.minimize(task, deadline, stop);
        induction.invariants()
    } else {
        tightest(&induction.invariants())
    }
}

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
        let host = alone(&program, deadline, stop);
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
        keep_inductive(&mut search, &mut self.kept, effort(deadline))?;
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

    /// Drops the invariants that the proof of the property does not need: afterwards, no invariant can be left out of the proof. If the time
    /// ends before, some needless ones may be left.
    pub fn minimize(&mut self, task: &Task, deadline: Instant, stop: &StopSignal) {
        let host = alone(&self.program, deadline, stop);
        if let Err(error) = self.drop_needless(task, deadline, &host) {
            host.debug(&error.to_string());
        }
    }

    /// Leaves out halves, then quarters, and at last single invariants (delta debugging, Zeller and Hildebrandt 2002). An attempt also drops
    /// the invariants that are not inductive without those left out. One attempt for each is enough, since more invariants prove whatever
    /// fewer prove.
    fn drop_needless(&mut self, task: &Task, deadline: Instant, host: &Host) -> Result<()> {
        let mut search = Search::new(task, host)?;
        search.formulas.extend(&task.program, &self.pool)?;
        let mut rest = self.longest_first();
        let mut size = rest.len();
        while size > 0 {
            let mut at = 0;
            while at < rest.len() {
                let end = (at + size).min(rest.len());
                let others: Vec<_> = rest[..at].iter().chain(&rest[end..]).copied().collect();
                match proof_with(&mut search, &others, deadline)? {
                    Some(kept) => {
                        rest.retain(|(head, part)| kept.get(head).is_some_and(|list| list.contains(part)));
                        self.kept = kept;
                    }
                    None => at = end,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        Ok(())
    }

    /// The kept invariants; the longest ones, which are hard to read, are dropped first.
    fn longest_first(&self) -> Vec<(LocationId, ExprId)> {
        let program = self.pool.with(&self.program);
        let all = self.kept.iter().flat_map(|(head, list)| list.iter().map(move |part| (*head, *part)));
        let mut all: Vec<_> = all.map(|(head, part)| (program.expr_to_c(part), head, part)).collect();
        all.sort_by(|(one, head, _), (other, other_head, _)| {
            (other.len(), head, one).cmp(&(one.len(), other_head, other))
        });
        all.into_iter().map(|(_, head, part)| (head, part)).collect()
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
fn alone(program: &Arc<Program>, deadline: Instant, stop: &StopSignal) -> Host {
    let services = HostServices::of(program).with_stop(stop.clone());
    services.set_deadline(Some(deadline));
    Host::new(Arc::new(services))
}

fn effort(deadline: Instant) -> Effort {
    Effort { query: PATIENCE, deadline: Some(deadline), at_once: true, apart: false }
}

/// The invariants among these that are inductive without all others, if they prove the property.
fn proof_with(
    search: &mut Search<'_>,
    invariants: &[(LocationId, ExprId)],
    deadline: Instant,
) -> Result<Option<Candidates>> {
    let mut kept = Candidates::default();
    for (head, part) in invariants {
        kept.entry(*head).or_default().push(*part);
    }
    keep_inductive(search, &mut kept, effort(deadline))?;
    let explorer = Explorer::new(search.task, search.host, &mut search.formulas, Loops::Induction(0));
    let exploration = explorer.at_once().with(&kept).run()?;
    search.patience = Some(deadline.saturating_duration_since(Instant::now()));
    Ok(search.induction(&exploration)?.is_ok().then_some(kept))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use crate::validate::Claim;
    use crate::validate::correctness::failing_claim;
    use tandem_plugin_api::artifact::{Condition, InputValue, Invariant, InvariantKind, TestCase};
    use tandem_plugin_api::program::{DataModel, EdgeNames, LocationNames};
    use tandem_plugin_api::task::Property;

    const COUNTDOWN: &str = include_str!("../../../examples/countdown.c");
    const TWICE: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
        int main(void) { unsigned n = __VERIFIER_nondet_int() & 63, i = 0, s = 0, t = 5;\n\
        while (i < n) { i++; s += 2; }\n while (t < 9) { t++; }\n\
        if (s != 2 * n || t > 9) reach_error(); return 0; }\n";

    /// Programs, with what is claimed of all their loops: some of it wrong, most of it needless.
    const CASES: [(&str, &[&str]); 2] = [
        (
            COUNTDOWN,
            &[
                "done >= 1",
                "!(start < 0)",
                "!(start > 1000)",
                "(0 <= start && start <= 1000 && 0 <= left && left <= 1000)",
                "done + left == start",
                "done <= 1000",
                "done <= start",
                "done >= 0",
                "left >= 0",
            ],
        ),
        (TWICE, &["s == 2 * i", "i <= n", "n <= 63", "t <= 9", "t >= 5", "s >= 1", "s <= 126", "t == 5", "i <= 63"]),
    ];

    fn case(text: &str, claims: &[&str]) -> (Task, Invariants) {
        let program = Arc::new(load_text(text, "p.c", DataModel::Ilp32).unwrap());
        let names = LocationNames::new(&program, &EdgeNames::new(&program));
        let claim = |at: LocationId, text: &str| Invariant {
            location: Arc::clone(names.name(at)),
            kind: InvariantKind::Loop,
            expression: Condition::in_function("main", text),
            origin: "test".into(),
            checked: false,
        };
        let heads = program.loop_heads(program.main);
        let claimed = heads.iter().flat_map(|&head| claims.iter().map(move |text| (head, *text)));
        let claimed = claimed.map(|(head, text)| claim(head, text)).collect();
        (Task::new(program, Property::UnreachableCall { function: "reach_error".into() }), claimed)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(120)
    }

    #[test]
    fn no_invariant_can_be_left_out_of_a_proof() {
        for (text, claims) in CASES {
            let (task, claimed) = case(text, claims);
            let told = proven(&task, &claimed, soon(), &StopSignal::new());
            assert!(!told.is_empty() && told.iter().all(|invariant| invariant.checked), "{told:?}");
            assert!(told.len() < Induction::of(&task, &claimed, soon(), &StopSignal::new()).invariants().len());
            let proves = |list: Invariants| Induction::of(&task, &list, soon(), &StopSignal::new()).proves_property;
            assert!(proves(told.clone()), "{told:?}");
            for dropped in told.iter() {
                let others: Invariants = told.iter().filter(|other| *other != dropped).cloned().collect();
                assert!(!proves(others), "{dropped:?} is not needed in {told:?}");
            }
        }
    }

    #[test]
    fn what_is_told_holds_at_each_visit_of_random_executions() {
        let mut seed = 7_u64;
        for (text, claims) in CASES {
            let (task, claimed) = case(text, claims);
            let names = LocationNames::new(&task.program, &EdgeNames::new(&task.program));
            let as_claims = |list: &Invariants| -> Vec<Claim> {
                let claim = |invariant: &Invariant| Claim {
                    at: names.location(&invariant.location).unwrap(),
                    is_loop: true,
                    text: invariant.expression.text().to_string(),
                    function: "main".into(),
                    file: "p.c".into(),
                    line: 1,
                };
                list.iter().map(claim).collect()
            };
            let all = as_claims(&Induction::of(&task, &claimed, soon(), &StopSignal::new()).invariants());
            let told = as_claims(&proven(&task, &claimed, soon(), &StopSignal::new()));
            let claimed = as_claims(&claimed);
            let mut refuted = 0;
            for _ in 0..40 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let test = TestCase::of([InputValue::integer(32, true, i128::from((seed >> 33) % 1100) - 50)]);
                assert_eq!(failing_claim(&task, &told, &test), Ok(None));
                assert_eq!(failing_claim(&task, &all, &test), Ok(None));
                refuted += usize::from(failing_claim(&task, &claimed, &test) != Ok(None));
            }
            assert!(refuted > 0, "executions must be able to refute claims");
        }
    }
}
