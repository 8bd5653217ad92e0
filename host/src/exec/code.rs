//! Where compiled code lies, and which edge of the program each place of it belongs to.

use std::ops::Range;
use std::sync::Arc;
use tandem_plugin_api::program::EdgeId;

/// Shared by all runners of one executable.
#[derive(Clone, Default)]
pub struct CodeMap {
    /// Sorted by start.
    functions: Arc<Vec<FunctionCode>>,
}

pub struct FunctionCode {
    pub range: Range<usize>,
    /// Offset from the start of the function, and the edge from there on; sorted.
    pub edges: Vec<(u32, EdgeId)>,
}

impl CodeMap {
    pub fn new(mut functions: Vec<FunctionCode>) -> Self {
        functions.sort_by_key(|f| f.range.start);
        CodeMap { functions: Arc::new(functions) }
    }

    fn function_at(&self, at: usize) -> Option<&FunctionCode> {
        let index = self.functions.partition_point(|f| f.range.start <= at).checked_sub(1)?;
        self.functions.get(index).filter(|f| f.range.contains(&at))
    }

    pub fn contains(&self, at: usize) -> bool {
        self.function_at(at).is_some()
    }

    /// The edge whose code is at this address.
    pub fn edge_at(&self, at: usize) -> EdgeId {
        let Some(function) = self.function_at(at) else { return EdgeId(0) };
        let offset = (at - function.range.start) as u32;
        let index = function.edges.partition_point(|(start, _)| *start <= offset);
        index.checked_sub(1).and_then(|i| function.edges.get(i)).map_or(EdgeId(0), |(_, edge)| *edge)
    }
}
