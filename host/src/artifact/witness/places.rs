//! Places of witnesses in a program, and back.
//! A witness of a preprocessed file counts the lines of that file, whatever its line markers say.

use super::Position;
use tandem_plugin_api::program::{EdgeId, LocationId, Loop, Op, Program, Span};

pub(super) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether the text of a span begins on the line of a position.
pub(super) fn on_line(program: &Program, span: Span, position: &Position) -> bool {
    // Lines first: names take longer to compare, and this is asked of every edge for every waypoint.
    if !span.is_somewhere() || (span.physical_line != position.line && span.line != position.line) {
        return false;
    }
    let file = base_name(&position.file);
    let of_program = file.is_empty() || file == base_name(&program.name);
    (of_program && span.physical_line == position.line)
        || (file == base_name(program.file_name(span)) && span.line == position.line)
}

fn in_function(program: &Program, edge: EdgeId, position: &Position) -> bool {
    let function = &program.function(program.function_of_edge(edge)).name;
    position.function.as_ref().is_none_or(|wanted| wanted == function)
}

/// The head of the loop whose keyword stands there; `None` if a macro puts several loops at one place.
pub(super) fn loop_head(program: &Program, position: &Position) -> Option<LocationId> {
    let fits = |span: Span| position.column.is_none_or(|column| column == span.column);
    let inside = |l: &Loop| position.function.as_ref().is_none_or(|name| program.function(l.function).name == *name);
    let loops = program.loops.iter().filter(|l| on_line(program, l.keyword, position) && fits(l.keyword) && inside(l));
    let loops: Vec<&Loop> = loops.collect();
    let first = loops.iter().map(|l| l.keyword.column).min()?;
    let mut heads = loops.iter().filter(|l| l.keyword.column == first).map(|l| l.head);
    heads.next().filter(|_| heads.next().is_none())
}

/// The edges of the text that begins there, in the order in which they are executed; calls come back elsewhere.
pub(super) fn edges(program: &Program, position: &Position) -> Vec<EdgeId> {
    let fits = |edge: &EdgeId| {
        let found = program.edge(*edge);
        !matches!(found.op, Op::Resume(_))
            && on_line(program, found.span, position)
            && position.column.is_none_or(|column| found.span.column >= column)
            && in_function(program, *edge, position)
    };
    program.edge_ids().filter(fits).collect()
}

/// Where execution is before the statement that begins there.
pub(super) fn location(program: &Program, position: &Position) -> Option<LocationId> {
    edges(program, position).first().map(|edge| program.edge(*edge).from)
}

/// Calls whose closing parenthesis is there, inputs included.
pub(super) fn calls(program: &Program, position: &Position) -> Vec<EdgeId> {
    let is_call = |edge: &EdgeId| {
        matches!(program.edge(*edge).op, Op::Call(_) | Op::External(_) | Op::Input { .. })
            && in_function(program, *edge, position)
    };
    let ends_there = |edge: &EdgeId| {
        let span = program.edge(*edge).span;
        let line = Position { line: position.line.saturating_sub(span.end_line - span.line), ..position.clone() };
        on_line(program, span, &line) && position.column.is_none_or(|column| span.end_column == column + 1)
    };
    let found: Vec<EdgeId> = program.edge_ids().filter(is_call).filter(ends_there).collect();
    match (position.column, found.as_slice()) {
        (None, [_, ..]) => {
            let leftmost = found.iter().map(|edge| program.edge(*edge).span.end_column).min();
            found.iter().copied().filter(|edge| Some(program.edge(*edge).span.end_column) == leftmost).collect()
        }
        _ => found,
    }
}

/// A position of the program's own file.
pub(super) fn position(program: &Program, span: Span, function: &str) -> Position {
    Position {
        file: base_name(&program.name).to_string(),
        line: span.physical_line,
        column: Some(span.column),
        function: Some(function.to_string()),
    }
}

/// Where a statement begins before which execution is at this location, if one does: the first one of its line.
pub(super) fn statement(program: &Program, at: LocationId) -> Option<Position> {
    let leaving = program.location(at).leaving.iter().copied();
    let edge = leaving.filter(|edge| program.edge(*edge).span.is_somewhere()).min()?;
    let function = program.location(at).function;
    let own = position(program, program.edge(edge).span, &program.function(function).name);
    let of_line = Position { column: None, ..own };
    (location(program, &of_line) == Some(at)).then_some(of_line)
}
