//! The goals of coverage in a program: branches of the source, and conditions as a compiler counts them.

use std::collections::BTreeMap;
use tandem_plugin_api::program::{
    Decision, DecisionKind, EdgeId, ExprId, ExprKind, LocationId, Op, Outcome, Program, Span,
};

/// Covered where one of its edges was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The decision's keyword or operator; for a condition, the condition.
    pub span: Span,
    /// `if`, `while`, `?:`, …
    pub decision: &'static str,
    /// `true`, `false`, `case 3`, `default`.
    pub outcome: String,
    pub edges: Vec<EdgeId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goals {
    /// By decision, `true` before `false`, cases in the order of the source.
    pub branches: Vec<Goal>,
    /// Both ways of every jump, and the outcomes of switches.
    pub conditions: Vec<Goal>,
}

impl Goals {
    pub fn of(program: &Program) -> Self {
        let branches = branches(program);
        let conditions = conditions(program, &branches);
        Goals { branches, conditions }
    }
}

fn branches(program: &Program) -> Vec<Goal> {
    let mut edges: BTreeMap<Outcome, Vec<EdgeId>> = BTreeMap::new();
    for edge in program.edge_ids() {
        if let Some(outcome) = program.edge(edge).settles {
            edges.entry(outcome).or_default().push(edge);
        }
    }
    let mut goals: Vec<(Outcome, Goal)> = edges
        .into_iter()
        .map(|(outcome, edges)| {
            let decision = &program.decisions[outcome.decision.index()];
            let name = outcome_name(program, decision, outcome.index, &edges);
            (outcome, Goal { span: decision.span, decision: decision_name(decision.kind), outcome: name, edges })
        })
        .collect();
    let two_way = |outcome: Outcome| program.decisions[outcome.decision.index()].kind != DecisionKind::Switch;
    goals.sort_by_key(|(outcome, _)| {
        let rank = if two_way(*outcome) { u32::MAX - outcome.index } else { outcome.index };
        (outcome.decision, rank)
    });
    goals.into_iter().map(|(_, goal)| goal).collect()
}

fn decision_name(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::If => "if",
        DecisionKind::While => "while",
        DecisionKind::For => "for",
        DecisionKind::DoWhile => "do while",
        DecisionKind::Switch => "switch",
        DecisionKind::Conditional => "?:",
        DecisionKind::ShortCircuit => "&&, ||",
    }
}

fn outcome_name(program: &Program, decision: &Decision, index: u32, edges: &[EdgeId]) -> String {
    if decision.kind != DecisionKind::Switch {
        return if index == 1 { "true" } else { "false" }.to_string();
    }
    if index + 1 == decision.outcomes {
        return "default".to_string();
    }
    let value = edges.first().and_then(|&edge| match program.edge(edge).op {
        Op::Assume { condition, holds: true } => compared_constant(program, condition),
        _ => None,
    });
    value.map_or_else(|| format!("case {}", index + 1), |value| format!("case {value}"))
}

/// The constant that a case compares with; the upper end of a range of cases.
fn compared_constant(program: &Program, condition: ExprId) -> Option<i128> {
    match program.exprs.kind(condition) {
        ExprKind::Binary { lhs, rhs, .. } => program.exprs.as_int(rhs).or_else(|| program.exprs.as_int(lhs)),
        _ => None,
    }
}

fn conditions(program: &Program, branches: &[Goal]) -> Vec<Goal> {
    let mut goals: Vec<Goal> = branches.iter().filter(|goal| goal.decision == "switch").cloned().collect();
    for at in (0..program.locations.len()).map(LocationId::new) {
        let leaving = &program.location(at).leaving;
        if !leaving.iter().all(|&edge| is_jump(program, edge)) {
            continue;
        }
        for &id in leaving {
            let edge = program.edge(id);
            if let Op::Assume { holds, .. } = edge.op {
                let outcome = if holds { "true" } else { "false" }.to_string();
                goals.push(Goal { span: edge.span, decision: "condition", outcome, edges: vec![id] });
            }
        }
    }
    goals
}

/// Whether a compiler makes a jump of this edge. Those of a switch are counted with the switch; choosing the callee of a
/// pointer and testing an assumption are calls to a compiler.
fn is_jump(program: &Program, id: EdgeId) -> bool {
    let edge = program.edge(id);
    let Op::Assume { condition, .. } = edge.op else { return false };
    if let Some(outcome) = edge.settles {
        return program.decisions[outcome.decision.index()].kind != DecisionKind::Switch;
    }
    let dead_end = |edge: EdgeId| {
        let to = program.edge(edge).to;
        let exit = program.function(program.location(to).function).body.map(|body| body.exit);
        program.location(to).leaving.is_empty() && Some(to) != exit
    };
    let siblings = &program.location(edge.from).leaving;
    let settled_by_switch = siblings.iter().any(|&sibling| {
        let outcome = program.edge(sibling).settles;
        outcome.is_some_and(|outcome| program.decisions[outcome.decision.index()].kind == DecisionKind::Switch)
    });
    let all_unsettled = siblings.iter().all(|&sibling| program.edge(sibling).settles.is_none());
    let chooses_callee = all_unsettled && compares_with_function(program, condition);
    let assumes = all_unsettled && siblings.iter().any(|&sibling| dead_end(sibling));
    !(settled_by_switch || chooses_callee || assumes)
}

fn compares_with_function(program: &Program, condition: ExprId) -> bool {
    let mut found = false;
    program.exprs.walk(condition, &mut |expr| {
        found |= matches!(program.exprs.kind(expr), ExprKind::FunctionAddress(_));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::load_text;
    use tandem_plugin_api::program::DataModel;

    fn names(body: &str) -> (Vec<String>, usize) {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nint f(void) {{ return 1; }}\n\
             int main(void) {{\nint x = __VERIFIER_nondet_int();\nint y = x;\nint (*p)(void) = f;\n{body}\nreturn y; }}\n"
        );
        let program = load_text(&text, "p.c", DataModel::Ilp32).unwrap();
        let goals = Goals::of(&program);
        let name = |goal: &Goal| format!("{} {}", goal.decision, goal.outcome);
        (goals.branches.iter().map(name).collect(), goals.conditions.len())
    }

    #[test]
    fn decisions_of_the_source_count_once() {
        let (branches, conditions) = names("if (x && y || !x) y = 1;\nwhile (y < 3) y++;\ny = x ? 1 : 2;");
        let two = |name: &str| [format!("{name} true"), format!("{name} false")];
        assert_eq!(branches, [two("if"), two("while"), two("?:")].concat());
        assert_eq!(conditions, 6 + 2 + 2);
        let (branches, conditions) = names("y = x && y;\nfor (;;) { if (x++ > 3) break; }\ndo y--; while (1);");
        assert_eq!(branches, [two("&&, ||"), two("if")].concat());
        assert_eq!(conditions, 4 + 2);
    }

    #[test]
    fn switches_have_their_cases() {
        let (branches, conditions) = names("switch (x) { case 3: case 4: y = 1; break; case -7: y = 2; }");
        assert_eq!(branches, ["switch case 3", "switch case 4", "switch case -7", "switch default"]);
        assert_eq!(conditions, 4);
        let (branches, conditions) = names("switch (x) { default: y = 1; break; case 1 ... 5: y = 2; }");
        assert_eq!(branches, ["switch case 5", "switch default"]);
        assert_eq!(conditions, 2);
    }

    #[test]
    fn what_is_no_jump_is_not_counted() {
        assert_eq!(names("__VERIFIER_assume(x > 0);\ny = p();\nif (p == f) y = 1;").1, 2);
        assert_eq!(names("y = x > 3;\nif (1) y = 2;").1, 0);
    }
}
