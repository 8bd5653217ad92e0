//! How many tests execute each line of the text that was read.

use tandem_plugin_api::program::{EdgeId, Op, Program};

pub(super) struct Lines {
    /// By edge: the line that a reader sees executed there; 0 for edges without one.
    of_edge: Vec<u32>,
    /// By line: how many tests executed it; `None` for lines without code.
    tests: Vec<Option<u32>>,
    /// By line: the last test that was counted there.
    last: Vec<u32>,
    current: u32,
}

impl Lines {
    pub fn of(program: &Program) -> Self {
        let visible = |edge: EdgeId| {
            let edge = program.edge(edge);
            let happens = edge.span.is_somewhere() && !matches!(edge.op, Op::Declare(_) | Op::Resume(_));
            if happens { edge.span.physical_line } else { 0 }
        };
        let of_edge: Vec<u32> = program.edge_ids().map(visible).collect();
        let count = of_edge.iter().copied().max().unwrap_or(0) as usize + 1;
        let mut tests = vec![None; count];
        for &line in of_edge.iter().filter(|&&line| line > 0) {
            tests[line as usize] = Some(0);
        }
        Lines { of_edge, tests, last: vec![0; count], current: 0 }
    }

    /// A test took these edges.
    pub fn add(&mut self, edges: impl Iterator<Item = EdgeId>) {
        self.current += 1;
        for edge in edges {
            let line = self.of_edge[edge.index()] as usize;
            if line > 0 && std::mem::replace(&mut self.last[line], self.current) != self.current {
                self.tests[line] = self.tests[line].map(|tests| tests + 1);
            }
        }
    }

    pub fn tests(&self, line: u32) -> Option<u32> {
        self.tests.get(line as usize).copied().flatten()
    }
}
