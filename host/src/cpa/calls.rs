//! Call stacks, hash-consed: equal stacks have equal ids, so that states with different callers are kept apart at the
//! cost of comparing two numbers.

use rustc_hash::FxHashMap;
use tandem_plugin_api::program::CallSiteId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);

impl StackId {
    /// Inside `main`, without any open call.
    pub const EMPTY: StackId = StackId(0);
}

struct Frame {
    site: CallSiteId,
    below: StackId,
    depth: u32,
}

/// All call stacks that were seen.
#[derive(Default)]
pub struct CallStacks {
    /// The frame of stack `i + 1`.
    frames: Vec<Frame>,
    index: FxHashMap<(StackId, CallSiteId), StackId>,
}

impl CallStacks {
    fn frame(&self, stack: StackId) -> Option<&Frame> {
        (stack.0 as usize).checked_sub(1).and_then(|index| self.frames.get(index))
    }

    pub fn push(&mut self, below: StackId, site: CallSiteId) -> StackId {
        let depth = self.depth(below) + 1;
        let frames = &mut self.frames;
        *self.index.entry((below, site)).or_insert_with(|| {
            frames.push(Frame { site, below, depth });
            StackId(frames.len() as u32)
        })
    }

    /// The stack after the return of `site`; `None` if another call is on top.
    pub fn pop(&self, stack: StackId, site: CallSiteId) -> Option<StackId> {
        self.frame(stack).filter(|frame| frame.site == site).map(|frame| frame.below)
    }

    pub fn depth(&self, stack: StackId) -> u32 {
        self.frame(stack).map_or(0, |frame| frame.depth)
    }

    /// The calls that are under way, outermost first.
    pub fn sites(&self, stack: StackId) -> Vec<CallSiteId> {
        let mut sites = Vec::new();
        let mut at = stack;
        while let Some(frame) = self.frame(at) {
            sites.push(frame.site);
            at = frame.below;
        }
        sites.reverse();
        sites
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_the_same() {
        let mut stacks = CallStacks::default();
        let (a, b) = (CallSiteId(1), CallSiteId(2));
        let once = stacks.push(StackId::EMPTY, a);
        let twice = stacks.push(once, b);
        assert_eq!(stacks.push(StackId::EMPTY, a), once);
        assert_ne!(stacks.push(StackId::EMPTY, b), once);
        assert_eq!(stacks.sites(twice), [a, b]);
        assert_eq!((stacks.depth(StackId::EMPTY), stacks.depth(twice)), (0, 2));
        assert_eq!(stacks.pop(twice, b), Some(once));
        assert_eq!(stacks.pop(twice, a), None);
        assert_eq!(stacks.pop(StackId::EMPTY, a), None);
    }
}
