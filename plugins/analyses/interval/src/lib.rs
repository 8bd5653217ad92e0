//! The interval analysis: bounds of all integers of a program, and the objects that its pointers point to. Bounds of
//! loops are found by widening and descending iteration before the exploration, which then follows them.

mod bitwise;
mod evaluate;
mod fixpoint;
mod interval;
mod layout;
mod library;
mod limits;
mod machine;
mod places;
mod pointers;
mod refine;
mod text;
mod transfer;
mod tree;
mod value;

use fixpoint::{Invariants, Settings};
use limits::Thresholds;
use machine::Machine;
use pointers::Base;
use std::cell::RefCell;
use std::collections::BTreeSet;
use tandem_plugin_api::kit::unroll::Order;
use tandem_plugin_api::prelude::*;
use value::{Cells, Known};

struct IntervalAnalysis {
    machine: Machine,
    /// Calls that end the exploration; empty where branches are to be covered.
    targets: Vec<EdgeId>,
    limits: Thresholds,
    settings: Settings,
    /// Locations that every cycle of the exploration passes: bounds are widened there instead of growing step by step.
    cuts: Vec<bool>,
    /// The invariants of every location; `None` before a run, or if they could not be computed in time.
    invariants: Option<Invariants>,
    /// By function, for texts.
    mentioned: Vec<BTreeSet<VarId>>,
    /// Edges whose writes may go wrong, which were reported to the host.
    told: RefCell<BTreeSet<EdgeId>>,
    host: Host,
}

/// Bounds at a location.
#[derive(Clone, Debug)]
struct State {
    cells: Cells,
    /// The location, where it is one of the cuts.
    cut: Option<LocationId>,
    /// How often the state grew there.
    joins: u32,
}

/// A state may grow this often at a cut before it becomes the invariant of all executions.
const MOST_JOINS: u32 = 2;

impl Plugin for IntervalAnalysis {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "interval",
            env!("CARGO_PKG_VERSION"),
            "Bounds of all integers, bit-precise, with pointers that are followed: proves what bounds alone prove.",
        )
        .details(
            "Tracks an interval for every integer of the program (variables, fields, elements of small arrays, one interval \
             for all elements of a large one) and the objects that pointers may point to, for every location and for every \
             chain of calls. Loops are solved by widening with the constants of the program, then by descending rounds, so \
             the time is that of a few passes over the program, whatever the loops' bounds are. Good at loop counters, array \
             indices, state machines with constant states, flags and error codes; gives invariants of loops to other actors. \
             Knows nothing of relations between variables (`x == y`), of the contents of the heap and of floats. A write \
             that it cannot show to stay inside its object is reported, since it may change anything: no proof then.",
        )
        .option(
            "delay",
            "rounds through a loop before its bounds are widened",
            OptionType::Integer { min: 0, max: 1000 },
            OptionValue::Integer(2),
        )
        .option(
            "descents",
            "descending rounds, which get back what widening gave up",
            OptionType::Integer { min: 0, max: 100 },
            OptionValue::Integer(3),
        )
        .option(
            "most-places",
            "locations of all chains of calls together; beyond these, calls of a function are merged",
            OptionType::Integer { min: 0, max: 100_000_000 },
            OptionValue::Integer(100_000),
        )
        .gives(&[ArtifactKind::Gia, ArtifactKind::Invariants])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let program = &setup.task.program;
        let machine = Machine::new(program);
        let limits = Thresholds::new(program, &machine.layout);
        let options = &setup.options;
        let settings = Settings {
            delay: options.integer("delay")? as u32,
            descents: options.integer("descents")? as u32,
            most_places: options.integer("most-places")? as usize,
        };
        let is_branch = setup.task.property == Property::CoverBranches;
        Ok(IntervalAnalysis {
            targets: if is_branch { Vec::new() } else { setup.task.targets.clone() },
            cuts: cuts(program),
            mentioned: text::mentioned(program),
            machine,
            limits,
            settings,
            invariants: None,
            told: RefCell::default(),
            host: setup.host.clone(),
        })
    }
}

/// Heads of loops, and the entries of functions and the places to which calls return: without call stacks, cycles pass
/// these, too.
fn cuts(program: &Program) -> Vec<bool> {
    let mut cuts = vec![false; program.locations.len()];
    for index in 0..program.functions.len() {
        let function = FunctionId::new(index);
        let Some(body) = program.function(function).body else { continue };
        cuts[body.entry.index()] = true;
        let order = Order::of(program, function);
        for location in program.reverse_postorder(function) {
            cuts[location.index()] |= order.is_head(location);
        }
    }
    for edge in program.edges.iter().filter(|edge| matches!(edge.op, Op::Resume(_))) {
        cuts[edge.to.index()] = true;
    }
    cuts
}

impl IntervalAnalysis {
    /// The invariant of a location: `Err` if no execution comes there.
    fn known_at(&self, at: LocationId) -> std::result::Result<Option<&Cells>, ()> {
        match &self.invariants {
            None => Ok(None),
            Some(invariants) => invariants.at[at.index()].as_ref().map(Some).ok_or(()),
        }
    }

    fn state_at(&self, cells: Cells, at: LocationId) -> State {
        State { cells, cut: self.cuts[at.index()].then_some(at), joins: 0 }
    }

    /// A write may have gone anywhere: proofs from here on do not count.
    fn tell_hazard(&self, id: EdgeId) {
        if !self.told.borrow_mut().insert(id) {
            return;
        }
        let program = &self.machine.program;
        let span = program.edge(id).span;
        let place = format!("{}:{}", program.file_name(span), span.line);
        self.host.unsound(&format!("a write that may be outside of its object ({place})"));
    }
}

impl Analysis for IntervalAnalysis {
    type State = State;
    type Precision = ();
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().explains().concludes();

    fn start(&mut self, _: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        self.told.borrow_mut().clear();
        if self.invariants.is_none() {
            self.invariants = fixpoint::compute(&self.machine, &self.limits, self.settings, host);
        }
        Ok(())
    }

    fn initial(&self) -> Result<State> {
        let cells = self.machine.initial();
        Ok(match self.machine.program.entry() {
            Some(entry) => self.state_at(cells, entry),
            None => State { cells, cut: None, joins: 0 },
        })
    }

    fn successors(&self, state: &State, id: EdgeId, _: &()) -> Result<Successors<State>> {
        let edge = self.machine.program.edge(id);
        if self.targets.binary_search(&id).is_ok() {
            // The effect of the call does not matter any more: it may be one that never returns.
            return Ok(Successors::Unchanged);
        }
        let Ok(known) = self.known_at(edge.to) else { return Ok(Successors::None) };
        self.machine.hazard.set(false);
        let Some(after) = self.machine.transfer(&state.cells, edge) else { return Ok(Successors::None) };
        if self.machine.hazard.get() {
            self.tell_hazard(id);
        }
        let after = match known {
            Some(known) => match self.machine.layout.meet(&after, known) {
                Some(after) => after,
                None => return Ok(Successors::None),
            },
            None => after,
        };
        let after = self.state_at(after, edge.to);
        if after.cut == state.cut && after.cells.same(&state.cells) {
            return Ok(Successors::Unchanged);
        }
        Ok(Successors::One(after))
    }

    fn less_or_equal(&self, smaller: &State, greater: &State) -> Result<bool> {
        Ok(self.machine.layout.less_or_equal(&smaller.cells, &greater.cells))
    }

    fn join(&self, new: &State, reached: &State) -> Result<Option<State>> {
        let layout = &self.machine.layout;
        if layout.less_or_equal(&new.cells, &reached.cells) {
            return Ok(Some(reached.clone()));
        }
        let joined = layout.join(&new.cells, &reached.cells);
        let known = match reached.cut {
            Some(at) if reached.joins >= MOST_JOINS => self.known_at(at).ok(),
            _ => None,
        };
        let cells = match known {
            // The bounds of all executions are no worse than the result of further joins.
            Some(Some(known)) => layout.join(&joined, known),
            Some(None) => layout.widen(&reached.cells, &joined, Some(&self.limits), false),
            None => joined,
        };
        Ok(Some(State { cells, cut: reached.cut, joins: reached.joins.saturating_add(1) }))
    }

    fn describe(&self, state: &State) -> Result<String> {
        let mut count = 0usize;
        state.cells.for_each(&(0..u32::MAX), &mut |_, _| count += 1);
        Ok(format!("{count} bounded"))
    }

    fn ignores_call_stack(&self) -> bool {
        true
    }
}

impl Answers for IntervalAnalysis {
    fn answer(&self, state: &State, query: &Query) -> Result<Answer> {
        let value = |expr: &ExprId| {
            let known = expr.index() < self.machine.program.exprs.len();
            if known { self.machine.evaluate(&state.cells, *expr) } else { Known::Nothing }
        };
        Ok(match query {
            Query::Value(expr) => match value(expr) {
                Known::Int(interval) if interval.is_point() => Answer::Value(interval.lo),
                Known::Pointer(pointer) if pointer.truth() == Some(false) => Answer::Value(0),
                _ => Answer::NoInformation,
            },
            Query::Interval(expr) => match value(expr) {
                Known::Int(interval) => Answer::Interval { min: interval.lo, max: interval.hi },
                _ => Answer::NoInformation,
            },
            Query::Truth(expr) => value(expr).truth().map_or(Answer::NoInformation, Answer::Truth),
            Query::PointsTo(expr) => match value(expr) {
                Known::Pointer(pointer) => {
                    let targets = pointer.targets();
                    // Blocks of the heap have no names.
                    if targets.iter().any(|target| matches!(target.base, Base::Block(_))) {
                        return Ok(Answer::NoInformation);
                    }
                    let variables = targets.iter().filter_map(|target| match target.base {
                        Base::Variable(variable) => Some(variable),
                        _ => None,
                    });
                    Answer::Variables(variables.collect())
                }
                _ => Answer::NoInformation,
            },
            _ => Answer::NoInformation,
        })
    }
}

impl Explains for IntervalAnalysis {
    fn invariant(&self, state: &State, at: LocationId) -> Result<Option<String>> {
        let function = self.machine.program.location(at).function;
        let texts = self.machine.conjuncts(&state.cells, function, &self.mentioned[function.index()]);
        Ok((!texts.is_empty()).then(|| texts.join(" && ")))
    }
}

impl Concludes for IntervalAnalysis {
    fn finish(&self, _: bool) -> Result<Vec<(String, String)>> {
        let contexts = self.invariants.as_ref().map_or(0, |invariants| invariants.contexts);
        Ok(vec![("interval: contexts of functions".into(), contexts.to_string())])
    }
}

tandem_plugin_api::export_plugin!(IntervalAnalysis);
