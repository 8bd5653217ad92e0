//! Refinement: which values exclude a path. Interpolants of explicit values (Beyer, Löwe, FASE 2013) by the definitions and
//! uses along the path, and a choice among several infeasible prefixes (Beyer, Löwe, Wendler: Refinement Selection, 2015).

use crate::domain::{Cell, State};
use crate::facts::{Facts, Kind};
use crate::precision::{Item, Root, Tracked};
use crate::transfer::{Log, Post, Transfer};
use std::collections::BTreeSet;
use tandem_plugin_api::prelude::*;

/// Contradictions of one path that are looked at.
const MOST_CONFLICTS: usize = 24;

/// How refinement goes about it.
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
    // Where nothing is new, states were computed before it was tracked, and there may be many of them: begin anew, so that
    // every refinement but one of two adds something.
    let from = first_new.map_or(0, |first| first - 1);
    Ok(Some(Refinement { precision: tracked, from }))
}

/// Follows the path with all values, past contradictions too: what each edge did, and the edges that cannot be passed.
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
        let mut transfer = Transfer { facts, keep: &|_| true, log: Some(Log::default()), ignore_conditions: true };
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

/// From the contradiction backwards: what a needed value rests on is needed before it was computed.
fn interpolate(facts: &Facts, logs: &[Log], conflict: usize) -> Vec<Span> {
    let mut needed: BTreeSet<Cell> = logs[conflict].decides.iter().copied().collect();
    let mut spans = Vec::new();
    let mut high = conflict;
    for position in (0..conflict).rev() {
        let log = &logs[position];
        let mut more: Vec<Cell> = Vec::new();
        if !log.wheres.is_empty() && needed.iter().any(|cell| facts.is_addressable(cell.object)) {
            // Something else was written, but only these say so.
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

/// What a choice of interpolants costs; less is better.
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
