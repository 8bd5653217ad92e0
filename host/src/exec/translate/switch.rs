//! Chains of comparisons of one value with constants, which a `switch` is lowered to: they become one jump through a
//! table.

use super::function::Translator;
use super::machine_type;
use cranelift_codegen::ir::types;
use cranelift_frontend::Switch;
use tandem_plugin_api::program::*;

/// Shorter chains are as fast without a table.
const SHORTEST: usize = 4;

struct Case {
    value: i128,
    yes: EdgeId,
    no: EdgeId,
}

impl Translator<'_, '_> {
    /// Translates the comparisons that begin at a location. False if there are too few, or each must be recorded.
    pub fn switch(&mut self, location: LocationId) -> bool {
        if self.records_decisions() {
            return false;
        }
        let Some((value, cases)) = self.cases(location) else { return false };
        let machine = machine_type(self.program, self.program.exprs.ty(value));
        let (Some(first), Some(last)) = (cases.first(), cases.last()) else { return false };
        if !machine.is_int() || machine == types::I128 || cases.len() < SHORTEST {
            return false;
        }
        self.begin(first.yes);
        let compared = self.value(value);
        let mut table = Switch::new();
        let mut blocks = Vec::new();
        let mask = u128::from(u64::MAX >> (64 - machine.bits()));
        for case in &cases {
            let index = case.value as u128 & mask;
            // The first of equal constants decides.
            if !table.entries().contains_key(&index) {
                let block = self.edge_block(case.yes);
                table.set_entry(index, block);
                blocks.push((case.yes, block));
            }
        }
        let otherwise = self.edge_block(last.no);
        blocks.push((last.no, otherwise));
        table.emit(&mut self.builder, compared, otherwise);
        for (edge, block) in blocks {
            self.fill_edge_block(edge, block);
        }
        self.counting.switches.push(cases.iter().map(|case| (case.yes, case.no)).collect());
        true
    }

    pub fn begins_switch(&self, location: LocationId) -> bool {
        self.cases(location).is_some_and(|(_, cases)| cases.len() >= SHORTEST)
    }

    /// The value and the constants that it is compared with, from a location on.
    fn cases(&self, location: LocationId) -> Option<(ExprId, Vec<Case>)> {
        let (value, first) = self.case(location)?;
        let mut cases = vec![first];
        while let Some(last) = cases.last() {
            let next = self.program.edge(last.no).to;
            let is_inside = self.program.location(next).entering.len() == 1
                && !self.is_loop_head(next)
                && !self.is_exit(next)
                && !self.has_block(next);
            match self.case(next) {
                Some((same, case)) if is_inside && same == value => cases.push(case),
                _ => break,
            }
        }
        Some((value, cases))
    }

    fn case(&self, location: LocationId) -> Option<(ExprId, Case)> {
        let &[a, b] = self.program.location(location).leaving.as_slice() else { return None };
        let (condition, yes, no) = self.decision(a, b)?;
        let ExprKind::Binary { op: BinaryOp::Eq, lhs, rhs } = self.program.exprs.kind(condition) else { return None };
        let value = self.program.exprs.as_int(rhs)?;
        let is_target = self.shared.targets.contains(&yes) || self.shared.targets.contains(&no);
        (!is_target && !self.program.types.is_float(self.program.exprs.ty(lhs)))
            .then_some((lhs, Case { value, yes, no }))
    }

    pub fn is_exit(&self, location: LocationId) -> bool {
        self.program.function(self.function).body.is_some_and(|body| body.exit == location)
    }

    /// Whether the function begins with copies of parameters.
    pub fn copies_parameters(&self) -> bool {
        let parameters = &self.program.function(self.function).parameters;
        parameters.iter().any(|&id| !self.program.types.is_scalar(self.program.variable(id).ty))
    }
}
