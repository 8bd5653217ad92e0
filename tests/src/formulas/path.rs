//! The edges that a run took, put together from its branch decisions by walking the automaton.

use tandem::exec::Runner;
use tandem_plugin_api::library::ends_program;
use tandem_plugin_api::program::*;
use tandem_plugin_api::service::execution::{Execution, Exit};

/// A beginning of a run.
pub struct Path {
    pub edges: Vec<EdgeId>,
    /// Branch decisions among them.
    pub decisions: usize,
    /// Inputs that they read.
    pub inputs: usize,
    /// Whether the run regularly ended behind the last edge.
    pub complete: bool,
}

/// The path of the runner's last run, at most this many edges of it. An error means that the records contradict each
/// other.
pub fn executed_path(program: &Program, runner: &Runner, exit: Exit, most: usize) -> Result<Path, String> {
    let mut walk = Walk {
        program,
        runner,
        exit,
        counts: vec![0; program.edges.len()],
        calls: Vec::new(),
        path: Path { edges: Vec::new(), decisions: 0, inputs: 0, complete: false },
    };
    let Some(mut at) = program.entry() else { return Ok(walk.path) };
    while walk.path.edges.len() < most {
        match walk.step(at)? {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok(walk.path)
}

struct Walk<'a> {
    program: &'a Program,
    runner: &'a Runner,
    exit: Exit,
    /// How often each edge was passed.
    counts: Vec<u32>,
    /// Functions entered, by the edge to come back on.
    calls: Vec<EdgeId>,
    path: Path,
}

impl Walk<'_> {
    /// Passes one edge. `None` at the end.
    fn step(&mut self, at: LocationId) -> Result<Option<LocationId>, String> {
        let program = self.program;
        let location = program.location(at);
        let is_exit = program.function(location.function).body.is_some_and(|body| body.exit == at);
        let edge = if is_exit {
            match self.calls.pop() {
                Some(resume) => resume,
                None => {
                    self.path.complete = true;
                    return Ok(None);
                }
            }
        } else {
            match *location.leaving.as_slice() {
                [edge] => edge,
                [a, b] => match self.decide(a, b) {
                    Some(edge) => edge,
                    None => return Ok(None),
                },
                _ => return Ok(None),
            }
        };
        if self.ends_before(edge) {
            return Ok(None);
        }
        self.counts[edge.index()] += 1;
        match &program.edge(edge).op {
            Op::Input { .. } => {
                let consumed = self.runner.consumed().get(self.path.inputs);
                if consumed.is_none_or(|input| input.edge != edge) {
                    return Err(format!("input {} was read elsewhere: {consumed:?}, not {edge}", self.path.inputs));
                }
                self.path.inputs += 1;
            }
            Op::Call(site) => match program.call_site(*site).resume {
                Some(resume) => self.calls.push(resume),
                None => return Ok(None),
            },
            Op::Unsupported(_) => return Ok(None),
            _ => {}
        }
        self.path.edges.push(edge);
        Ok(Some(program.edge(edge).to))
    }

    fn decide(&mut self, a: EdgeId, b: EdgeId) -> Option<EdgeId> {
        let Op::Assume { holds, .. } = self.program.edge(a).op else { return None };
        let truth = *self.runner.decisions().get(self.path.decisions)? != 0;
        let edge = if truth == holds { a } else { b };
        if !self.ends_before(edge) {
            self.path.decisions += 1;
        }
        Some(edge)
    }

    /// Whether the run ended on this edge, or may have: counters stop at 255.
    fn ends_before(&mut self, edge: EdgeId) -> bool {
        let passed = self.counts[edge.index()] + 1;
        let counted = u32::from(self.runner.coverage().get(edge.index()).copied().unwrap_or(0));
        if self.exit.edge() == Some(edge) && (passed >= counted || counted == 255 && passed >= 255) {
            self.path.complete = matches!(self.exit, Exit::Aborted(_));
            return true;
        }
        let Op::External(site) = self.program.edge(edge).op else { return false };
        let Callee::Function(callee) = self.program.call_site(site).callee else { return true };
        let ends = ends_program(&self.program.function(callee).name);
        if ends {
            self.path.complete = matches!(self.exit, Exit::Exited(_) | Exit::Aborted(_));
        }
        ends
    }
}
