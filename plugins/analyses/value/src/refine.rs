//! Refinement: which values exclude a path. Interpolants of explicit values (Beyer, Löwe, FASE 2013) by the definitions and
//! uses along the path, and a choice among several infeasible prefixes (Beyer, Löwe, Wendler: Refinement Selection, 2015).

use crate::domain::{Cell, State};
use crate::facts::{Facts, Kind};
use crate::precision::{Item, Root, Tracked};
use crate::transfer::{Log, Post, Transfer};
use std::collections::BTreeSet;
use tandem_plugin_api::prelude::*;

/// The most contradictions of one path that are compared.
const MOST_CONFLICTS: usize = 24;

/// The strategy of refinement.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Track a cell at the places where it is needed, not everywhere.
    pub by_location: bool,
    /// Choose the cheapest of several reasons, not the first.
    pub choose: bool,
}

/// Cells that must be known after `low` to `high` edges of the path.
struct Span {
    low: usize,
    high: usize,
    cells: Vec<Cell>,
}

pub fn refine(
    facts: &Facts,
    initial: &State,
    path: &[EdgeId],
    precision: &Tracked,
    manner: Manner,
    host: &Host,
) -> Result<Option<Refinement<Tracked>>> {
    let (logs, conflicts) = follow(facts, initial, path, manner, host)?;
    let mut best: Option<(Cost, Vec<Span>)> = None;
    for &conflict in &conflicts {
        host.check()?;
        let spans = interpolate(facts, &logs, conflict);
        let cost = Cost::of(facts, path, &spans, precision);
        if best.as_ref().is_none_or(|(known, _)| cost < *known) {
            best = Some((cost, spans));
        }
    }
    let Some((_, spans)) = best else { return Ok(None) };
    let mut tracked = precision.clone();
    let mut first_new = None;
    for span in &spans {
        let high = if manner.by_location { span.high } else { span.low };
        for position in span.low..=high {
            let at = facts.program.edge(path[position - 1]).to;
            for cell in &span.cells {
                // Also where all are tracked: it may have been given up since then.
                if !precision.was_asked(cell, at) {
                    first_new = Some(first_new.map_or(position, |known: usize| known.min(position)));
                }
                if let Some(item) = Item::of(cell) {
                    tracked.add(item, manner.by_location.then_some(at));
                }
            }
        }
    }
    // If nothing is new, states were computed before the cell was tracked, and there may be many of them: begin anew,
    // so that of any two refinements at least one adds something.
    let from = first_new.map_or(0, |first| first - 1);
    Ok(Some(Refinement { precision: tracked, from }))
}

/// Follows the path with all values, past contradictions, too. Returns the effects of each edge, and the edges that
/// cannot be passed.
fn follow(
    facts: &Facts,
    initial: &State,
    path: &[EdgeId],
    manner: Manner,
    host: &Host,
) -> Result<(Vec<Log>, Vec<usize>)> {
    let mut logs = Vec::with_capacity(path.len());
    let mut conflicts = Vec::new();
    let mut state = initial.clone();
    for (position, &edge) in path.iter().enumerate() {
        if position % 256 == 0 {
            host.check()?;
        }
        let mut transfer =
            Transfer { log: Some(Log::default()), ignore_conditions: true, ..Transfer::new(facts, &|_| true) };
        if let Post::To(next) = transfer.post(&state, edge) {
            state = next;
        }
        let log = transfer.log.unwrap_or_default();
        if log.closed {
            conflicts.push(position);
        }
        logs.push(log);
        if !conflicts.is_empty() && !manner.choose || conflicts.len() >= MOST_CONFLICTS {
            break;
        }
    }
    Ok((logs, conflicts))
}

/// Backwards from the contradiction: the cells on which a needed value rests are needed before it was computed.
fn interpolate(facts: &Facts, logs: &[Log], conflict: usize) -> Vec<Span> {
    let mut needed: BTreeSet<Cell> = logs[conflict].decides.iter().copied().collect();
    let mut spans = Vec::new();
    let mut high = conflict;
    for position in (0..conflict).rev() {
        let log = &logs[position];
        let mut more: Vec<Cell> = Vec::new();
        if !log.wheres.is_empty() && needed.iter().any(|cell| facts.is_addressable(cell.object)) {
            // Another cell was written, but only these show that.
            more.extend(&log.wheres);
        }
        let set: Vec<_> = log.sets.iter().filter(|(cell, _)| needed.contains(cell)).collect();
        more.extend(set.iter().flat_map(|(_, reads)| reads));
        if set.is_empty() && more.iter().all(|cell| needed.contains(cell)) {
            continue;
        }
        if !needed.is_empty() {
            spans.push(Span { low: position + 1, high, cells: needed.iter().copied().collect() });
        }
        high = position;
        for (cell, _) in set {
            needed.remove(cell);
        }
        needed.extend(more);
    }
    // Before the first edge, all globals are known anyway.
    if !needed.is_empty() && high > 0 {
        spans.push(Span { low: 1, high, cells: needed.into_iter().collect() });
    }
    spans
}

/// The cost of a choice of interpolants; less is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    worst: Kind,
    new_items: usize,
    width: usize,
}

impl Cost {
    fn of(facts: &Facts, path: &[EdgeId], spans: &[Span], tracked: &Tracked) -> Cost {
        let mut items: BTreeSet<Item> = BTreeSet::new();
        for span in spans {
            let at = facts.program.edge(path[span.low - 1]).to;
            items.extend(span.cells.iter().filter(|cell| !tracked.wants(cell, at)).filter_map(Item::of));
        }
        let kind = |item: &Item| match item.root {
            Root::Variable(variable) => facts.kind(variable),
            Root::Site(_) => Kind::Other,
        };
        let width = spans.iter().map(|span| (span.high - span.low + 1) * span.cells.len()).sum();
        Cost { worst: items.iter().map(kind).max().unwrap_or(Kind::Flag), new_items: items.len(), width }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::Start;
    use crate::transfer::initial_state;
    use std::sync::Arc;
    use tandem_plugin_api::kit::testing::ProgramBuilder;
    use tandem_plugin_api::program::BinaryOp;

    /// `a = 1; b = a; c = b + 1; i = i + 1; if (i == 5) if (c != 2) …`, followed to the end.
    fn path() -> (Facts, Vec<EdgeId>, [VarId; 4]) {
        let mut builder = ProgramBuilder::new("p.c");
        let main = builder.function("main");
        let (entry, exit) = builder.body(main);
        let variables = ["a", "b", "c", "i"].map(|name| builder.global(name));
        let [a, b, c, i] = variables.map(|variable| builder.variable(variable));
        let (one, two, five) = (builder.int(1), builder.int(2), builder.int(5));
        let (sum, next) = (builder.binary(BinaryOp::Add, b, one), builder.binary(BinaryOp::Add, i, one));
        let (is_five, differs) = (builder.binary(BinaryOp::Eq, i, five), builder.binary(BinaryOp::Ne, c, two));
        let places: Vec<_> = (0..5).map(|_| builder.location(main)).collect();
        let path = vec![
            builder.edge(entry, places[0], Op::Assign { target: a, value: one }),
            builder.edge(places[0], places[1], Op::Assign { target: b, value: a }),
            builder.edge(places[1], places[2], Op::Assign { target: c, value: sum }),
            builder.edge(places[2], places[3], Op::Assign { target: i, value: next }),
            builder.edge(places[3], places[4], Op::Assume { condition: is_five, holds: true }),
            builder.edge(places[4], exit, Op::Assume { condition: differs, holds: true }),
        ];
        (Facts::of(&Arc::new(builder.finish(main))), path, variables)
    }

    fn cell(facts: &Facts, variable: VarId) -> Cell {
        Cell { object: facts.object(variable, 0), offset: 0 }
    }

    #[test]
    fn the_reason_without_a_counter_is_chosen() {
        let (facts, path, [a, b, c, i]) = path();
        let initial = initial_state(&facts);
        let nothing = Tracked::starting(Start::Nothing, &facts);
        let find = |choose, by_location| {
            let manner = Manner { by_location, choose };
            refine(&facts, &initial, &path, &nothing, manner, &Host::silent()).unwrap().unwrap()
        };
        let wanted = |found: &Refinement<Tracked>, at: usize| {
            let at = facts.program.edge(path[at]).to;
            [a, b, c, i].map(|variable| found.precision.wants(&cell(&facts, variable), at))
        };
        let chosen = find(true, true);
        assert_eq!(chosen.from, 0);
        assert_eq!(wanted(&chosen, 0), [true, false, false, false]);
        assert_eq!(wanted(&chosen, 1), [false, true, false, false]);
        assert_eq!(wanted(&chosen, 3), [false, false, true, false]);
        let first = find(false, true);
        assert_eq!(wanted(&first, 2), [false, false, false, true]);
        let everywhere = find(true, false);
        assert_eq!(wanted(&everywhere, 5), [true, true, true, false]);
        // Cells that are tracked there already need no new states.
        let manner = Manner { by_location: true, choose: true };
        let mut some = nothing.clone();
        for (position, variable) in [(0, a), (1, b)] {
            let item = Item::of(&cell(&facts, variable)).unwrap();
            some.add(item, Some(facts.program.edge(path[position]).to));
        }
        let later = refine(&facts, &initial, &path, &some, manner, &Host::silent()).unwrap().unwrap();
        assert_eq!(later.from, 2);
        let feasible = refine(&facts, &initial, &path[..4], &nothing, manner, &Host::silent()).unwrap();
        assert!(feasible.is_none());
    }

    #[test]
    fn precisions_go_round_by_name() {
        let (facts, path, [a, _, c, _]) = path();
        let mut tracked = Tracked::starting(Start::Nothing, &facts);
        let at = facts.program.edge(path[2]).to;
        let [first, third] = [a, c].map(|variable| Item::of(&cell(&facts, variable)).unwrap());
        tracked.add(first, None);
        tracked.add(third, Some(at));
        let mut back = Tracked::starting(Start::Nothing, &facts);
        assert!(back.import(&tracked.export(&facts), &facts));
        let elsewhere = facts.program.edge(path[0]).to;
        let wants = |variable, place| back.wants(&cell(&facts, variable), place);
        assert!(wants(a, at) && wants(a, elsewhere) && wants(c, at) && !wants(c, elsewhere));
        assert_eq!(back.export(&facts), tracked.export(&facts));
    }
}
