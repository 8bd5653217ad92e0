//! The loop-bound analysis: counts the rounds of every loop and the nesting of every function, and ends paths that go
//! beyond a bound. In a product it unrolls loops for the other analyses, and bounds their state space.

mod loops;

use loops::Loops;
use std::collections::BTreeSet;
use std::sync::Arc;
use tandem_plugin_api::prelude::*;

struct LoopBound {
    program: Arc<Program>,
    loops: Loops,
    /// Rounds of a loop, from where it is entered to where it is left.
    bound: u32,
    /// How often a function may be under way at a time.
    recursion: u32,
    /// End the exploration rather than the path.
    stops: bool,
    told: std::cell::RefCell<BTreeSet<EdgeId>>,
    host: Host,
}

/// The rounds of the loops that are under way, in all open calls.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Of the function that is executed: heads of loops around this place, outermost first, with their rounds.
    rounds: Vec<(LocationId, u32)>,
    function: FunctionId,
    below: Option<Arc<State>>,
    /// A bound was exceeded on the way here.
    is_beyond: bool,
}

impl Plugin for LoopBound {
    type Kind = kind::Analysis;

    fn descriptor() -> Descriptor {
        Descriptor::of::<Self>(
            "loop-bound",
            env!("CARGO_PKG_VERSION"),
            "Counts the rounds of loops and the nesting of calls, and ends paths beyond a bound.",
        )
        .details(
            "For products: states with different counts are kept apart, so the other analyses see loops unrolled, and what \
             they explore stays finite. Good with analyses that are exact on paths and would run for ever (value, symbolic), \
             and with those that merge too early (interval): loops with few rounds are then followed round by round. If a \
             path was ended, that is noted, and there is no proof; if no path comes to a bound, the result is a proof.",
        )
        .option(
            "bound",
            "rounds of a loop that are followed, each time it is entered",
            OptionType::Integer { min: 0, max: i64::from(u32::MAX) },
            OptionValue::Integer(10),
        )
        .option(
            "recursion",
            "how often a function may be under way at a time",
            OptionType::Integer { min: 1, max: i64::from(u32::MAX) },
            OptionValue::Integer(10),
        )
        .option(
            "at-bound",
            "what ends at a bound: the path, or the whole exploration, which can be continued",
            OptionType::Choice(vec!["end-path".into(), "end-exploration".into()]),
            OptionValue::Text("end-path".into()),
        )
    }

    fn new(setup: &Setup) -> Result<Self> {
        let number =
            |name: &str| -> Result<u32> { Ok(u32::try_from(setup.options.integer(name)?).unwrap_or(u32::MAX)) };
        Ok(LoopBound {
            program: setup.task.program.clone(),
            loops: Loops::new(&setup.task.program),
            bound: number("bound")?,
            recursion: number("recursion")?,
            stops: setup.options.text("at-bound")? == "end-exploration",
            told: std::cell::RefCell::default(),
            host: setup.host.clone(),
        })
    }
}

impl LoopBound {
    fn place(&self, edge: EdgeId) -> String {
        let span = self.program.edge(edge).span;
        format!("{}:{}", self.program.file_name(span), span.line)
    }

    /// The state behind an edge that exceeds a bound.
    fn beyond(&self, state: State, edge: EdgeId, what: impl FnOnce() -> String) -> Successors<State> {
        if self.stops {
            return Successors::One(State { is_beyond: true, ..state });
        }
        if self.told.borrow_mut().insert(edge) {
            self.host.unsound(&what());
        }
        Successors::None
    }

    fn enter(&self, state: &State, edge: EdgeId) -> Successors<State> {
        let function = self.program.location(self.program.edge(edge).to).function;
        let below = Some(Arc::new(State { is_beyond: false, ..state.clone() }));
        let inside = State { rounds: Vec::new(), function, below, is_beyond: false };
        let mut under_way = 0u32;
        let mut frame = Some(&inside);
        while let Some(here) = frame {
            under_way += u32::from(here.function == function);
            frame = here.below.as_deref();
        }
        if under_way <= self.recursion {
            return Successors::One(inside);
        }
        let name = &self.program.function(function).name;
        let told = || format!("{name} is followed {} calls deep ({})", self.recursion, self.place(edge));
        self.beyond(inside, edge, told)
    }

    /// A step inside a function.
    fn step(&self, state: &State, edge: EdgeId, from: LocationId, to: LocationId) -> Successors<State> {
        let mut after = State { is_beyond: false, ..state.clone() };
        after.rounds.retain(|(head, _)| self.loops.contains(*head, to));
        if self.loops.is_head(to) {
            match after.rounds.iter_mut().find(|(head, _)| *head == to) {
                Some((_, count)) if self.loops.contains(to, from) => {
                    *count += 1;
                    if *count > self.bound {
                        let told = || format!("a loop is followed for {} rounds ({})", self.bound, self.place(edge));
                        return self.beyond(after, edge, told);
                    }
                }
                Some((_, count)) => *count = 0,
                None => after.rounds.push((to, 0)),
            }
        }
        if after == *state { Successors::Unchanged } else { Successors::One(after) }
    }
}

impl Analysis for LoopBound {
    type State = State;
    type Precision = ();

    fn start(&mut self, _: &Inputs, host: &Host) -> Result<()> {
        self.host = host.clone();
        self.told.borrow_mut().clear();
        Ok(())
    }

    fn initial(&self) -> Result<State> {
        let mut state = State { rounds: Vec::new(), function: self.program.main, below: None, is_beyond: false };
        if let Some(entry) = self.program.entry().filter(|entry| self.loops.is_head(*entry)) {
            state.rounds.push((entry, 0));
        }
        Ok(state)
    }

    fn successors(&self, state: &State, id: EdgeId, _: &()) -> Result<Successors<State>> {
        let edge = self.program.edge(id);
        Ok(match edge.op {
            Op::Call(_) => self.enter(state, id),
            Op::Resume(site) => match &state.below {
                // From where the call was made, to where it comes back.
                Some(caller) => {
                    match self.step(caller, id, self.program.edge(self.program.call_site(site).call).from, edge.to) {
                        Successors::Unchanged => Successors::One((**caller).clone()),
                        other => other,
                    }
                }
                None => Successors::None,
            },
            _ => self.step(state, id, edge.from, edge.to),
        })
    }

    fn less_or_equal(&self, smaller: &State, greater: &State) -> Result<bool> {
        Ok(smaller == greater)
    }

    fn adjust(&self, state: &State, _: LocationId, _: &()) -> Result<Adjusted<State, ()>> {
        Ok(Adjusted { stop_here: state.is_beyond, ..Adjusted::default() })
    }

    fn describe(&self, state: &State) -> Result<String> {
        let rounds: Vec<String> = state.rounds.iter().map(|(_, count)| count.to_string()).collect();
        Ok(if rounds.is_empty() { String::new() } else { format!("rounds {}", rounds.join(", ")) })
    }
}

tandem_plugin_api::export_plugin!(LoopBound);

#[cfg(test)]
mod tests;
