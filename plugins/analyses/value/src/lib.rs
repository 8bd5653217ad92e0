//! Explicit values with counterexample-guided refinement (Beyer, Löwe: Explicit-State Software Model Checking Based on CEGAR
//! and Interpolation, FASE 2013): tracks the exact values of those variables that exclude infeasible paths.

mod domain;
mod eval;
mod facts;
mod learn;
mod library;
mod precision;
mod refine;
mod transfer;

use domain::{Cell as Memory, Object, State, Value};
use eval::Eval;
use facts::{Facts, Kind};
use precision::{Start, Tracked};
use refine::Manner;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::sync::{Arc, OnceLock, Weak};
use tandem_plugin_api::artifact;
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{ExprKind, Storage, Variable};
use transfer::{Post, Transfer};

const TRACK: [(&str, Start); 3] =
    [("needed", Start::Nothing), ("all-but-counters", Start::AllButCounters), ("everything", Start::Everything)];

struct ValueAnalysis {
    facts: Facts,
    initial: State,
    start: Start,
    manner: Manner,
    host: Host,
    /// By variable: its name in invariants.
    names: Vec<Option<String>>,
    /// Of a counter; 0 means no bound.
    most_values: usize,
    /// By counter: the values that it got; `None` once these were too many.
    values: RefCell<FxHashMap<VarId, Option<FxHashSet<Value>>>>,
    has_lost: Cell<bool>,
    refinements: Cell<u64>,
    allocates: Cell<bool>,
    /// Edges that write at a place that is not known exactly, each as long as a state of the graph is before it.
    wild: RefCell<Vec<Weak<EdgeId>>>,
}

impl Plugin for ValueAnalysis {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "value",
            env!("CARGO_PKG_VERSION"),
            "Explicit values: tracks exact values of the variables that are needed to exclude paths to the error.",
        )
        .details(
            "Starts with no variable at all. Each infeasible path to a target shows which values exclude it, and these are \
             tracked from then on. Strong where control depends on few variables with few values, such as state machines and \
             product lines; loops are followed iteration by iteration where their counters matter. States are never merged. \
             Memory is tracked where pointers are known exactly; a write through any other forgets all that it may reach, and no \
             proof passes over it, since it may be outside of all objects.",
        )
        .option(
            "track",
            "Which values are tracked from the start: those that refinement asks for and no others, all but those of variables \
             that loops count with, or all.",
            OptionType::Choice(TRACK.iter().map(|(name, _)| name.to_string()).collect()),
            OptionValue::Text("needed".into()),
        )
        .option(
            "scope",
            "Where a value is tracked once it is needed: at the locations of the path between its definition and its use, \
             or everywhere.",
            OptionType::Choice(vec!["location".into(), "everywhere".into()]),
            OptionValue::Text("everywhere".into()),
        )
        .option(
            "most-values",
            "A variable that loops count with, and that got so many different values, is not tracked any more unless refinement \
             asks for it; 0 for no bound.",
            OptionType::Integer { min: 0, max: 1 << 31 },
            OptionValue::Integer(1000),
        )
        .option(
            "selection",
            "Among several reasons why a path is infeasible, prefer those without loop counters (refinement selection).",
            OptionType::Bool,
            OptionValue::Bool(true),
        )
        .gives(&[ArtifactKind::Gia, ArtifactKind::Precision, ArtifactKind::Invariants, ArtifactKind::Tests])
    }

    fn new(setup: &Setup) -> Result<Self> {
        let facts = Facts::of(&setup.task.program);
        let initial = transfer::initial_state(&facts);
        let track = setup.options.text("track")?;
        let manner = Manner {
            by_location: setup.options.text("scope")? == "location",
            choose: setup.options.bool("selection")?,
        };
        Ok(ValueAnalysis {
            facts,
            initial,
            start: TRACK.iter().find(|(name, _)| *name == track).map_or(Start::Nothing, |(_, start)| *start),
            manner,
            host: setup.host.clone(),
            names: clear_names(&setup.task.program),
            most_values: usize::try_from(setup.options.integer("most-values")?).unwrap_or(0),
            values: RefCell::default(),
            has_lost: Cell::new(false),
            refinements: Cell::new(0),
            allocates: Cell::new(false),
            wild: RefCell::default(),
        })
    }
}

impl ValueAnalysis {
    /// Notes the value that a counter got.
    fn count(&self, next: &State, edge: EdgeId) {
        let program = &self.facts.program;
        let Op::Assign { target, .. } = program.edge(edge).op else { return };
        let ExprKind::Var(variable) = program.exprs.kind(target) else { return };
        if self.most_values == 0 || self.facts.kind(variable) != Kind::Counter {
            return;
        }
        let cell = Memory { object: self.facts.object(variable, next.depth), offset: 0 };
        let Some(entry) = next.get(&cell) else { return };
        let mut values = self.values.borrow_mut();
        let known = values.entry(variable).or_insert_with(|| Some(FxHashSet::default()));
        if let Some(set) = known
            && set.insert(entry.value)
            && set.len() > self.most_values
        {
            *known = None;
            self.has_lost.set(true);
        }
    }

    /// Whether a cell is that of a counter with too many values, which no refinement asked for.
    fn is_lost(&self, cell: &Memory, at: LocationId, precision: &Tracked) -> bool {
        let Object::Variable(variable, _) = cell.object else { return false };
        matches!(self.values.borrow().get(&variable), Some(None)) && !precision.was_asked(cell, at)
    }

    /// Drops values that are not read any more, and cells that are not tracked behind the edge.
    fn trim(&self, next: &mut State, before: &State, edge: EdgeId, precision: &Tracked) {
        let to = self.facts.program.edge(edge).to;
        if before.fresh || precision.is_local() {
            next.fresh = false;
            next.retain(|cell, _| precision.wants(cell, to));
        }
        let depth = if matches!(self.facts.program.edge(edge).op, Op::Call(_)) { before.depth } else { next.depth };
        if next.len() > 0 {
            for &variable in self.facts.dying(edge) {
                next.forget_object(self.facts.object(variable, depth));
            }
        }
    }
}

/// The names of variables by which expressions in their functions, or anywhere, can mean them: those that hide no other and
/// are hidden by none.
fn clear_names(program: &Program) -> Vec<Option<String>> {
    let mut owners: FxHashMap<&str, Vec<Option<FunctionId>>> = FxHashMap::default();
    for variable in &program.variables {
        owners.entry(&variable.name).or_default().push(variable.function);
    }
    let is_clear = |variable: &Variable| {
        let others = owners.get(variable.name.as_str()).map_or(&[][..], Vec::as_slice);
        let same = |owner: &&Option<FunctionId>| {
            owner.is_none() || variable.function.is_none() || **owner == variable.function
        };
        let own = !matches!(variable.storage, Storage::Temporary | Storage::Result);
        own && others.iter().filter(same).count() == 1
    };
    let name = |variable: &Variable| is_clear(variable).then(|| variable.name.clone());
    program.variables.iter().map(name).collect()
}

impl Analysis for ValueAnalysis {
    type State = State;
    type Precision = Tracked;
    const CAPABILITIES: Capabilities<Self> = Capabilities::none().answers().refines().explains().indexes().concludes();

    fn start(&mut self, _inputs: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        Ok(())
    }

    fn initial(&self) -> Result<State> {
        Ok(self.initial.clone())
    }

    fn successors(&self, state: &State, edge: EdgeId, precision: &Tracked) -> Result<Successors<State>> {
        let to = self.facts.program.edge(edge).to;
        let lost = self.has_lost.get();
        let keep = |cell: &Memory| precision.wants(cell, to) && !(lost && self.is_lost(cell, to, precision));
        let mut transfer = Transfer::new(&self.facts, &keep);
        let post = transfer.post(state, edge);
        if transfer.wild {
            let noted = state.wild.get_or_init(|| Arc::new(edge));
            self.wild.borrow_mut().push(Arc::downgrade(noted));
        }
        let mut next = match post {
            Post::Closed => return Ok(Successors::None),
            Post::Same if state.len() == 0 && !state.fresh => return Ok(Successors::Unchanged),
            Post::Same => state.clone(),
            Post::To(next) => next,
        };
        self.trim(&mut next, state, edge, precision);
        self.count(&next, edge);
        if next.same_values(state) {
            return Ok(Successors::Unchanged);
        }
        next.wild = OnceLock::new();
        if let Op::External(_) = self.facts.program.edge(edge).op
            && next.iter().any(|(_, entry)| matches!(entry.value, Value::Pointer { object: Object::Block(..), .. }))
        {
            self.allocates.set(true);
        }
        Ok(Successors::One(next))
    }

    fn less_or_equal(&self, smaller: &State, greater: &State) -> Result<bool> {
        Ok(greater.covers(smaller))
    }

    fn describe(&self, state: &State) -> Result<String> {
        let program = &self.facts.program;
        let text = |(cell, entry): (&Memory, &domain::Entry)| {
            let object = match cell.object {
                Object::Variable(variable, _) => program.variable(variable).unique_name.clone(),
                Object::Block(edge, number) => format!("block{edge}.{number}"),
                Object::Function(function) => program.function(function).name.clone(),
            };
            let offset = if cell.offset == 0 { String::new() } else { format!("+{}", cell.offset) };
            match entry.value {
                Value::Int(value) => format!("{object}{offset} = {value}"),
                other => format!("{object}{offset} = {other:?}"),
            }
        };
        Ok(state.iter().map(text).collect::<Vec<_>>().join(", "))
    }
}

impl Answers for ValueAnalysis {
    fn answer(&self, state: &State, query: &Query) -> Result<Answer> {
        let eval = Eval::new(&self.facts, state, false);
        let known =
            |expr: &ExprId| if expr.index() < self.facts.program.exprs.len() { eval.value(*expr) } else { None };
        Ok(match query {
            Query::Value(expr) => match known(expr) {
                Some(Value::Int(value)) => Answer::Value(value),
                _ => Answer::NoInformation,
            },
            Query::Interval(expr) => match known(expr) {
                Some(Value::Int(value)) => Answer::Interval { min: value, max: value },
                _ => Answer::NoInformation,
            },
            Query::Truth(expr) if expr.index() < self.facts.program.exprs.len() => {
                eval.truth(*expr).map_or(Answer::NoInformation, Answer::Truth)
            }
            Query::PointsTo(expr) => match known(expr) {
                Some(Value::Pointer { object: Object::Variable(variable, _), .. }) => Answer::Variables(vec![variable]),
                _ => Answer::NoInformation,
            },
            _ => Answer::NoInformation,
        })
    }
}

impl Refines for ValueAnalysis {
    fn initial_precision(&self) -> Result<Tracked> {
        Ok(Tracked::starting(self.start, &self.facts))
    }

    fn refine(&self, path: &[EdgeId], precision: &Tracked) -> Result<Option<Refinement<Tracked>>> {
        let found = refine::refine(&self.facts, &self.initial, path, precision, self.manner, &self.host)?;
        if found.is_some() {
            self.refinements.set(self.refinements.get() + 1);
        }
        Ok(found)
    }

    fn import_precision(&self, base: &Tracked, given: &artifact::Precision) -> Result<Option<Tracked>> {
        let mut tracked = base.clone();
        Ok(tracked.import(given, &self.facts).then_some(tracked))
    }

    fn export_precision(&self, precision: &Tracked) -> Result<artifact::Precision> {
        Ok(precision.export(&self.facts))
    }
}

impl Explains for ValueAnalysis {
    fn invariant(&self, state: &State, at: LocationId) -> Result<Option<String>> {
        let program = &self.facts.program;
        let function = program.location(at).function;
        let mut parts = Vec::new();
        for (cell, entry) in state.iter() {
            let (Object::Variable(variable, frame), Value::Int(value)) = (cell.object, entry.value) else { continue };
            let is_whole = program.variable(variable).ty == entry.ty && program.types.is_integer(entry.ty);
            let here = self.facts.object(variable, state.depth) == Object::Variable(variable, frame);
            // Larger numbers need suffixes that depend on the data model.
            if is_whole && here && value.unsigned_abs() <= i32::MAX as u128 {
                let owner = program.variable(variable).function;
                let name =
                    self.names[variable.index()].as_ref().filter(|_| owner.is_none_or(|owner| owner == function));
                parts.extend(name.map(|name| format!("{name} == {value}")));
            }
        }
        Ok((!parts.is_empty()).then(|| parts.join(" && ")))
    }
}

impl Indexes for ValueAnalysis {
    fn merges(&self) -> bool {
        false
    }

    fn cover_key(&self, state: &State) -> Result<Option<CoverKey>> {
        Ok(Some(state.key()))
    }

    fn cover_key_like(&self, state: &State, like: &State) -> Result<Option<u64>> {
        Ok(state.key_like(like))
    }
}

impl Concludes for ValueAnalysis {
    fn is_unproven(&self, state: &State) -> Result<bool> {
        Ok(state.wild.get().is_some())
    }

    fn finish(&self, complete: bool) -> Result<Vec<(String, String)>> {
        if self.allocates.get() {
            self.host.convention(Convention::Allocation);
        }
        // Such a write may be outside of all objects, and then do anything.
        let edge = self.wild.borrow().iter().filter_map(Weak::upgrade).map(|edge| *edge).min();
        if let Some(edge) = edge.filter(|_| complete) {
            let line = self.facts.program.edge(edge).span.line;
            self.host.unsound(&format!("a write through a pointer or index whose value is not known on line {line}"));
        }
        Ok(vec![("paths excluded by values".into(), self.refinements.get().to_string())])
    }
}

tandem_plugin_api::export_plugin!(ValueAnalysis);

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::kit::testing;

    #[test]
    fn describes_itself_without_mistakes() {
        assert_eq!(ValueAnalysis::descriptor().problems(), Vec::<String>::new());
    }

    #[test]
    fn values_pass_the_boundary() {
        let mut builder = testing::ProgramBuilder::new("p.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        let (x, unused) = (builder.global("x"), builder.local(main, "unused"));
        let (place, other, five) = (builder.variable(x), builder.variable(unused), builder.int(5));
        let (middle, late) = (builder.location(main), builder.location(main));
        let path = [
            builder.edge(entry, middle, Op::Assign { target: place, value: five }),
            builder.edge(middle, late, Op::Assign { target: other, value: place }),
            builder.edge(late, exit, Op::Assume { condition: place, holds: false }),
        ];
        let task = testing::task(builder.finish(main));
        let everything = [("track", OptionValue::Text("everything".into()))];
        let analysis = testing::analysis::<ValueAnalysis>(&task, &everything).unwrap();
        let states = testing::states_along(&analysis, &path).unwrap();
        let texts: Vec<_> = states.iter().map(|state| analysis.describe(state).unwrap()).collect();
        // The local is not read, and the condition does not hold.
        assert_eq!(texts, ["x = 0", "x = 5", "x = 5"]);
        assert_eq!(analysis.invariant(&states[1], middle).unwrap(), Some("x == 5".to_string()));
        assert_eq!(analysis.answer(&states[2], &Query::Value(place)).unwrap(), Answer::Value(5));
        let coarse = testing::analysis::<ValueAnalysis>(&task, &[]).unwrap();
        assert_eq!(testing::states_along(&coarse, &path).unwrap().len(), 4, "nothing is tracked yet");
        let found = coarse.refine(&path, &coarse.initial_precision().unwrap()).unwrap().unwrap();
        assert_eq!(found.from, 0);
    }
}
