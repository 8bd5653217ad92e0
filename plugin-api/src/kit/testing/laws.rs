//! The laws that the operators of an analysis must keep, checked on states of a program: those of an order, of merging, of
//! stopping, of the keys by which the host looks for states, of precision adjustment, and of a monotone transfer relation.

use crate::abi::{AbstractPrecision, AbstractState, AnalysisInstance, host_side::Next};
use crate::error::Result;
use crate::program::{CallSiteId, EdgeId, LocationId, Op, Program};
use std::collections::BTreeMap;
use std::fmt;

/// A law that an analysis must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Law {
    Reflexive,
    Transitive,
    Antisymmetric,
    MergeAboveReached,
    MergeAboveNew,
    StopMeansLess,
    PartitionKeepsCoverers,
    CoverKeyFindsCoverers,
    AdjustAbove,
    MonotoneTransfer,
}

impl Law {
    pub const ALL: [Law; 10] = [
        Law::Reflexive,
        Law::Transitive,
        Law::Antisymmetric,
        Law::MergeAboveReached,
        Law::MergeAboveNew,
        Law::StopMeansLess,
        Law::PartitionKeepsCoverers,
        Law::CoverKeyFindsCoverers,
        Law::AdjustAbove,
        Law::MonotoneTransfer,
    ];

    /// The name for command lines.
    pub fn name(self) -> &'static str {
        match self {
            Law::Reflexive => "reflexive",
            Law::Transitive => "transitive",
            Law::Antisymmetric => "antisymmetric",
            Law::MergeAboveReached => "merge-above-reached",
            Law::MergeAboveNew => "merge-above-new",
            Law::StopMeansLess => "stop-means-less",
            Law::PartitionKeepsCoverers => "partition",
            Law::CoverKeyFindsCoverers => "cover-key",
            Law::AdjustAbove => "adjust-above",
            Law::MonotoneTransfer => "monotone-transfer",
        }
    }

    pub fn of_name(name: &str) -> Option<Law> {
        Law::ALL.into_iter().find(|law| law.name() == name)
    }

    /// The statement of the law.
    pub fn statement(self) -> &'static str {
        match self {
            Law::Reflexive => "a ≤ a",
            Law::Transitive => "a ≤ b and b ≤ c imply a ≤ c",
            Law::Antisymmetric => "states that are ≤ each other cover and are covered by the same states",
            Law::MergeAboveReached => "reached ≤ merge(new, reached)",
            Law::MergeAboveNew => "new ≤ merge(new, reached)",
            Law::StopMeansLess => "stop(a, b) implies a ≤ b",
            Law::PartitionKeepsCoverers => {
                "stop(a, b) implies partition(a) = partition(b), and merging does not change it"
            }
            Law::CoverKeyFindsCoverers => {
                "stop(a, b) implies that b's bits are among a's, and cover_key_like(a, b) is b's values"
            }
            Law::AdjustAbove => "a ≤ adjust(a), unless their partitions say that they are not compared",
            Law::MonotoneTransfer => {
                "a ≤ b implies that every successor of a is ≤ some successor of b, unless partitions say that they are not compared"
            }
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.statement())
    }
}

/// A state to check laws on.
#[derive(Clone)]
pub struct Sample {
    pub state: AbstractState,
    pub precision: AbstractPrecision,
    pub at: LocationId,
    /// The call stack, as a number: only states with equal ones are compared.
    pub stack: u32,
}

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub law: Law,
    pub at: LocationId,
    /// The edge, for laws about successors.
    pub edge: Option<EdgeId>,
    /// The analysis's description of the states of the law, in its order.
    pub states: Vec<String>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law {} does not hold at {}", self.law, self.at)?;
        if let Some(edge) = self.edge {
            write!(f, ", edge {edge}")?;
        }
        for (name, state) in ["a", "b", "c"].iter().zip(&self.states) {
            write!(f, "\n    {name}: {state}")?;
        }
        Ok(())
    }
}

/// How often each law was checked, and where one does not hold.
#[derive(Clone, Debug, Default)]
pub struct LawReport {
    /// How often each law had to hold: implications count where their left side is true.
    pub checked: BTreeMap<Law, u64>,
    pub broken: Vec<Broken>,
}

impl LawReport {
    pub fn absorb(&mut self, other: LawReport) {
        for (law, count) in other.checked {
            *self.checked.entry(law).or_default() += count;
        }
        self.broken.extend(other.broken);
    }
}

/// States along random ways through a program that begin alike, adjusted as the host does it. `start` must have been called
/// on the analysis if it needs that.
pub fn samples(analysis: &AnalysisInstance, program: &Program, count: usize, seed: u64) -> Result<Vec<Sample>> {
    let Some(entry) = program.entry() else { return Ok(Vec::new()) };
    let ignores_stack = analysis.ignores_call_stack()?;
    let precision = analysis.initial_precision()?;
    let mut walk = Walk { analysis, ignores_stack, stacks: vec![Vec::new()], found: Vec::new(), ways: Vec::new() };
    let initial = analysis.initial()?;
    walk.arrive(initial, entry, precision, Vec::new())?;
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |bound: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound.max(1)
    };
    for _ in 0..count * 4 {
        if walk.found.len() >= count {
            break;
        }
        // In half of the cases from the place that was reached last, so that it makes progress.
        let known = walk.found.len();
        let from = if below(2) == 0 { known - 1 } else { below(known) };
        let leaving = &program.location(walk.found[from].at).leaving;
        if !leaving.is_empty() {
            walk.step(program, from, leaving[below(leaving.len())])?;
        }
    }
    Ok(walk.found)
}

struct Walk<'a> {
    analysis: &'a AnalysisInstance,
    ignores_stack: bool,
    stacks: Vec<Vec<CallSiteId>>,
    found: Vec<Sample>,
    /// By sample: its call stack, whatever the analysis ignores.
    ways: Vec<Vec<CallSiteId>>,
}

impl Walk<'_> {
    fn step(&mut self, program: &Program, from: usize, edge: EdgeId) -> Result<()> {
        let mut stack = self.ways[from].clone();
        match program.edge(edge).op {
            Op::Call(site) => stack.push(site),
            Op::Resume(site) if stack.pop() != Some(site) => return Ok(()),
            _ => {}
        }
        let Sample { state, precision, .. } = self.found[from].clone();
        for next in successors(self.analysis, &state, edge, &precision)? {
            self.arrive(next, program.edge(edge).to, precision.clone(), stack.clone())?;
        }
        Ok(())
    }

    fn arrive(
        &mut self,
        state: AbstractState,
        at: LocationId,
        precision: AbstractPrecision,
        stack: Vec<CallSiteId>,
    ) -> Result<()> {
        let adjusted = self.analysis.adjust(&state, at, &precision)?;
        let number = match self.stacks.iter().position(|known| self.ignores_stack || *known == stack) {
            Some(known) => known,
            None => {
                self.stacks.push(stack.clone());
                self.stacks.len() - 1
            }
        };
        self.ways.push(stack);
        self.found.push(Sample {
            state: adjusted.state.unwrap_or(state),
            precision: adjusted.precision.unwrap_or(precision),
            at,
            stack: number as u32,
        });
        Ok(())
    }
}

fn successors(
    analysis: &AnalysisInstance,
    state: &AbstractState,
    edge: EdgeId,
    precision: &AbstractPrecision,
) -> Result<Vec<AbstractState>> {
    Ok(match analysis.successors(state, edge, precision)? {
        Next::None => Vec::new(),
        Next::Unchanged => vec![state.clone()],
        Next::One(state) => vec![state],
        Next::Many(states) => states,
    })
}

/// Checks all laws but those that are `excused` on all pairs (and some triples) of states of the same place, of which at most
/// `per_place` are taken. Ends after the first state for which some law is broken.
pub fn check(
    analysis: &AnalysisInstance,
    program: &Program,
    samples: &[Sample],
    per_place: usize,
    excused: &[Law],
) -> Result<LawReport> {
    let mut places: BTreeMap<(LocationId, u32), Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        let list = places.entry((sample.at, sample.stack)).or_default();
        if list.len() < per_place && !list.iter().any(|known| known.state.same(&sample.state)) {
            list.push(sample);
        }
    }
    let mut checker = Checker { analysis, program, excused, report: LawReport::default() };
    for list in places.values() {
        checker.place(list)?;
        if !checker.report.broken.is_empty() {
            break;
        }
    }
    Ok(checker.report)
}

struct Checker<'a> {
    analysis: &'a AnalysisInstance,
    program: &'a Program,
    excused: &'a [Law],
    report: LawReport,
}

impl Checker<'_> {
    fn expect(
        &mut self,
        law: Law,
        holds: bool,
        at: LocationId,
        edge: Option<EdgeId>,
        states: &[&AbstractState],
    ) -> Result<()> {
        if self.excused.contains(&law) {
            return Ok(());
        }
        *self.report.checked.entry(law).or_default() += 1;
        if !holds && !self.report.broken.iter().any(|known| known.law == law) {
            let states = states.iter().map(|state| self.describe(state, at)).collect::<Result<Vec<String>>>()?;
            self.report.broken.push(Broken { law, at, edge, states });
        }
        Ok(())
    }

    /// The description of a state, and its invariant.
    fn describe(&self, state: &AbstractState, at: LocationId) -> Result<String> {
        let text = self.analysis.describe(state)?;
        Ok(match self.analysis.invariant(state, at)? {
            Some(invariant) if text.is_empty() => invariant,
            Some(invariant) => format!("{text} [{invariant}]"),
            None if text.is_empty() => "(a state without a description)".into(),
            None => text,
        })
    }

    fn less(&self, a: &AbstractState, b: &AbstractState) -> Result<bool> {
        self.analysis.less_or_equal(a, b)
    }

    fn place(&mut self, list: &[&Sample]) -> Result<()> {
        let order: Vec<Vec<bool>> =
            list.iter().map(|a| list.iter().map(|b| self.less(&a.state, &b.state)).collect()).collect::<Result<_>>()?;
        for (i, a) in list.iter().enumerate() {
            self.expect(Law::Reflexive, order[i][i], a.at, None, &[&a.state])?;
            self.adjustments(a)?;
            for (j, b) in list.iter().enumerate() {
                if order[i][j] {
                    self.order(list, &order, i, j)?;
                }
                if i != j {
                    self.merge(a, b)?;
                    self.stop(a, b, order[i][j])?;
                    if order[i][j] {
                        self.transfer(a, b)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The consequences of a ≤ b.
    fn order(&mut self, list: &[&Sample], order: &[Vec<bool>], i: usize, j: usize) -> Result<()> {
        let at = list[i].at;
        for k in 0..list.len() {
            let states = [&list[i].state, &list[j].state, &list[k].state];
            if order[j][k] {
                self.expect(Law::Transitive, order[i][k], at, None, &states)?;
            }
            if i != j && order[j][i] {
                let alike = order[i][k] == order[j][k] && order[k][i] == order[k][j];
                self.expect(Law::Antisymmetric, alike, at, None, &states)?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, new: &Sample, reached: &Sample) -> Result<()> {
        if !self.analysis.merges()? {
            return Ok(());
        }
        let Some(merged) = self.analysis.merge(&new.state, &reached.state, &new.precision)? else { return Ok(()) };
        let above = self.less(&reached.state, &merged)?;
        self.expect(Law::MergeAboveReached, above, new.at, None, &[&new.state, &reached.state, &merged])?;
        let above = self.less(&new.state, &merged)?;
        self.expect(Law::MergeAboveNew, above, new.at, None, &[&new.state, &reached.state, &merged])?;
        // The host looks for the merged state at the reached one's place.
        let same = self.analysis.partition(&reached.state)? == self.analysis.partition(&merged)?;
        self.expect(Law::PartitionKeepsCoverers, same, new.at, None, &[&new.state, &reached.state, &merged])
    }

    fn stop(&mut self, a: &Sample, b: &Sample, less: bool) -> Result<()> {
        if self.analysis.keeps_apart()? || !self.analysis.stop(&a.state, &b.state, &a.precision)? {
            return Ok(());
        }
        let states = [&a.state, &b.state];
        self.expect(Law::StopMeansLess, less, a.at, None, &states)?;
        let same = self.analysis.partition(&a.state)? == self.analysis.partition(&b.state)?;
        self.expect(Law::PartitionKeepsCoverers, same, a.at, None, &states)?;
        let (Some(own), Some(other)) = (self.analysis.cover_key(&a.state)?, self.analysis.cover_key(&b.state)?) else {
            return Ok(());
        };
        let found = match own.shape == other.shape {
            true => own.values == other.values,
            false => self.analysis.cover_key_like(&a.state, &b.state)? == Some(other.values),
        };
        self.expect(Law::CoverKeyFindsCoverers, found && other.bits & !own.bits == 0, a.at, None, &states)
    }

    /// A successor is adjusted before it is used.
    fn adjustments(&mut self, a: &Sample) -> Result<()> {
        for &edge in &self.program.location(a.at).leaving {
            if self.is_return(edge)? {
                continue;
            }
            let to = self.program.edge(edge).to;
            for next in successors(self.analysis, &a.state, edge, &a.precision)? {
                if let Some(adjusted) = self.analysis.adjust(&next, to, &a.precision)?.state
                    && self.comparable(&next, &adjusted)?
                {
                    let above = self.less(&next, &adjusted)?;
                    self.expect(Law::AdjustAbove, above, to, Some(edge), &[&next, &adjusted])?;
                }
            }
        }
        Ok(())
    }

    /// Whether the order compares two states.
    fn comparable(&self, a: &AbstractState, b: &AbstractState) -> Result<bool> {
        Ok(self.analysis.partition(a)? == self.analysis.partition(b)?)
    }

    /// If the call stack decides whether an edge can be passed, only the host knows.
    fn is_return(&self, edge: EdgeId) -> Result<bool> {
        Ok(matches!(self.program.edge(edge).op, Op::Resume(_)) && !self.analysis.ignores_call_stack()?)
    }

    fn transfer(&mut self, a: &Sample, b: &Sample) -> Result<()> {
        if self.excused.contains(&Law::MonotoneTransfer) {
            return Ok(());
        }
        for &edge in &self.program.location(a.at).leaving {
            if self.is_return(edge)? {
                continue;
            }
            let greater = successors(self.analysis, &b.state, edge, &b.precision)?;
            for next in successors(self.analysis, &a.state, edge, &b.precision)? {
                // If an edge leads to states that the order does not compare, the order cannot demand a successor
                // either.
                let (mut covered, mut compared) = (false, greater.is_empty() && self.comparable(&a.state, &next)?);
                for candidate in &greater {
                    compared = compared || self.comparable(&next, candidate)?;
                    covered = covered || self.less(&next, candidate)?;
                }
                if compared {
                    let states = [&a.state, &b.state, &next];
                    self.expect(Law::MonotoneTransfer, covered, a.at, Some(edge), &states)?;
                }
            }
        }
        Ok(())
    }
}
