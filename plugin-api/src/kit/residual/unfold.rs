//! The residual program as a graph: the product of program and automaton (REDUCER, Alg. 1 of the ICSE paper; X-REDUCER, Alg. 3 of
//! the GIA paper), folded on the way as a [`Folding`] says (after Beyer & Jakobs, FRed, SEFM 2020).
//!
//! Functions are cloned by the family with which they are called, never inlined, so that recursion needs no bound: where the
//! automaton is when a call returns comes from [`Summaries`]. A folded node stands for all ways to it, and an edge is left out
//! only if it is covered on all of them.

use super::Reduction;
use super::follower::{Next, SetId};
use super::graph::{CloneId, FamilyId, FunctionClone, Graph, Node, NodeId, Target, Way};
use super::loops::Loops;
use super::moves::{Family, Moves};
use super::summaries::Summaries;
use crate::artifact::Condition;
use crate::error::{ErrorKind, PluginError};
use crate::program::{EdgeId, ExprId, FunctionId, LocationId, Op, Program};
use crate::service::Host;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which states of the product become one location of the residual program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Only equal states: the product itself.
    Nothing,
    /// All states with the same location: the original graph without the edges that are covered on all ways.
    Everywhere,
    /// All states at the same loop head.
    LoopHeads,
    /// All states at the same loop head in the same iteration; iterations from this number on are merged.
    Iterations(u32),
    /// All states with the same location between two loop heads; at loop heads only equal states.
    ExceptLoopHeads,
}

impl Folding {
    /// The next folding that merges more; `None` after the one that merges all.
    pub fn coarser(self) -> Option<Folding> {
        match self {
            Folding::Nothing | Folding::Iterations(_) | Folding::ExceptLoopHeads => Some(Folding::LoopHeads),
            Folding::LoopHeads => Some(Folding::Everywhere),
            Folding::Everywhere => None,
        }
    }
}

/// Limits on the size of the residual program.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub locations: usize,
    /// A function that is called with more families than this gets one clone for the rest.
    pub clones: usize,
    /// A residual program that has more than this many times the locations of the program is folded more.
    pub growth: Option<usize>,
}

/// Why there is no graph.
pub enum Failure {
    TooLarge,
    Other(PluginError),
}

impl From<PluginError> for Failure {
    fn from(error: PluginError) -> Self {
        Failure::Other(error)
    }
}

type Result<T> = std::result::Result<T, Failure>;

/// The key by which nodes of one clone at one location are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    clone: CloneId,
    location: LocationId,
    context: u32,
    /// `None` where nodes are folded whatever their family is.
    family: Option<FamilyId>,
}

/// The way through loops, as far as the folding depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Context {
    /// Loops that are under way, with the number of the iteration.
    iterations: Vec<(LocationId, u32)>,
    /// The last loop head, with its family.
    block: Option<(LocationId, FamilyId)>,
}

/// Families that still grow after this many rounds are replaced by the family of which nothing is known.
const MOST_ROUNDS: u32 = 10;

pub struct Unfolding<'a> {
    pub moves: Moves<'a>,
    program: &'a Program,
    summaries: Summaries,
    folding: Folding,
    most_locations: usize,
    most_clones: usize,
    loops: Loops,
    /// Functions that keep their name and their whole body: functions whose calls are targets, and functions that the
    /// library may call.
    whole: FxHashSet<FunctionId>,
    families: Vec<Family>,
    family_index: FxHashMap<Family, FamilyId>,
    contexts: Vec<Context>,
    context_index: FxHashMap<Context, u32>,
    clones: Vec<FunctionClone>,
    clone_index: FxHashMap<(FunctionId, Option<FamilyId>), CloneId>,
    clone_counts: FxHashMap<FunctionId, usize>,
    nodes: Vec<Node>,
    index: FxHashMap<Key, NodeId>,
    /// Families of folded nodes, kept from round to round: they only grow.
    folded: FxHashMap<(FunctionId, Option<FamilyId>, LocationId, u32), FamilyId>,
    grew: bool,
    round: u32,
    work: Vec<NodeId>,
}

impl<'a> Unfolding<'a> {
    pub fn new(mut moves: Moves<'a>, how: &Reduction, whole: FxHashSet<FunctionId>, host: &Host) -> Result<Self> {
        let program = moves.program;
        let summaries = Summaries::new(&mut moves, host)?;
        let mut this = Unfolding {
            moves,
            program,
            summaries,
            folding: how.folding,
            most_locations: how.most_locations(program),
            most_clones: how.bounds.clones,
            loops: Loops::of(program),
            whole,
            families: Vec::new(),
            family_index: FxHashMap::default(),
            contexts: Vec::new(),
            context_index: FxHashMap::default(),
            clones: Vec::new(),
            clone_index: FxHashMap::default(),
            clone_counts: FxHashMap::default(),
            nodes: Vec::new(),
            index: FxHashMap::default(),
            folded: FxHashMap::default(),
            grew: false,
            round: 0,
            work: Vec::new(),
        };
        this.context(Context::default());
        Ok(this)
    }

    /// Explores until folded families grow no more.
    pub fn run(mut self, host: &Host) -> Result<(Moves<'a>, Graph)> {
        let Next::At(start) = self.moves.follower.start() else {
            return Ok((self.moves, Graph::empty()));
        };
        loop {
            self.begin_round();
            let main = self.clone_for(self.program.main, vec![start])?;
            let mut roots = Vec::new();
            for function in sorted(&self.whole) {
                let anything = self.moves.follower.anything();
                roots.push(self.clone_for(function, vec![anything])?);
            }
            while let Some(node) = self.work.pop() {
                self.expand(node)?;
                if self.nodes.len().is_multiple_of(1024) && host.stopped().is_some() {
                    return Err(PluginError::of(ErrorKind::Stopped, "stopped").into());
                }
            }
            if !self.grew {
                return Ok((self.moves, Graph { nodes: self.nodes, clones: self.clones, main: Some(main), roots }));
            }
            self.round += 1;
        }
    }

    fn begin_round(&mut self) {
        self.nodes.clear();
        self.index.clear();
        self.clones.clear();
        self.clone_index.clear();
        self.clone_counts.clear();
        self.grew = false;
    }

    fn family(&mut self, family: Family) -> FamilyId {
        if let Some(&known) = self.family_index.get(&family) {
            return known;
        }
        let id = self.families.len() as FamilyId;
        self.families.push(family.clone());
        self.family_index.insert(family, id);
        id
    }

    fn context(&mut self, context: Context) -> u32 {
        if let Some(&known) = self.context_index.get(&context) {
            return known;
        }
        let id = self.contexts.len() as u32;
        self.contexts.push(context.clone());
        self.context_index.insert(context, id);
        id
    }

    /// The clone of a function for a call with these runs. Its entry is put on the list if it is new.
    fn clone_for(&mut self, function: FunctionId, family: Family) -> Result<CloneId> {
        let whole = self.whole.contains(&function);
        let family = if whole { vec![self.moves.follower.anything()] } else { family };
        let mut which = Some(self.family(family.clone()));
        let count = self.clone_counts.get(&function).copied().unwrap_or(0);
        let is_known = self.clone_index.contains_key(&(function, which));
        let shared = self.folding == Folding::Everywhere || (!is_known && count >= self.most_clones);
        if shared && !whole {
            which = None;
        }
        let known = self.clone_index.get(&(function, which)).copied();
        let id = known.unwrap_or(CloneId(self.clones.len() as u32));
        let Some(body) = self.program.function(function).body else {
            let why = format!("a call leads into `{}`, which has no body", self.name(function));
            return Err(PluginError::new(why).into());
        };
        if known.is_none() {
            self.clone_index.insert((function, which), id);
            *self.clone_counts.entry(function).or_default() += 1;
            self.clones.push(FunctionClone { function, entry: NodeId(u32::MAX), exit: None, which });
        }
        if known.is_none() || which.is_none() {
            let entry = self.arrive(id, body.entry, 0, family)?;
            self.clones[id.0 as usize].entry = entry;
        }
        Ok(id)
    }

    fn name(&self, function: FunctionId) -> &str {
        &self.program.function(function).name
    }

    /// The node for a family that comes to a location.
    fn arrive(&mut self, clone: CloneId, at: LocationId, context: u32, family: Family) -> Result<NodeId> {
        let FunctionClone { function, which, .. } = self.clones[clone.0 as usize];
        let shared = which.is_none();
        let is_exit = self.program.function(function).body.is_some_and(|body| body.exit == at);
        let head = self.loops.is_head(at);
        let family = self.family(family);
        let context = if is_exit { 0 } else { self.context_at(context, at, family) };
        let folds = is_exit
            || shared
            || match self.folding {
                Folding::Nothing => false,
                Folding::Everywhere => true,
                Folding::LoopHeads | Folding::Iterations(_) => head,
                Folding::ExceptLoopHeads => !head,
            };
        let family = if folds { self.fold((function, which, at, context), family) } else { family };
        let key = Key { clone, location: at, context, family: (!folds).then_some(family) };
        let candidate = self.families[family as usize].iter().any(|&set| self.moves.follower.is_candidate(set));
        if let Some(&known) = self.index.get(&key) {
            let node = &mut self.nodes[known.0 as usize];
            node.candidate |= candidate;
            if node.family != family {
                node.family = family;
                // If all nodes are folded, no node can become stale, and it is enough to visit this one again.
                if self.folding == Folding::Everywhere {
                    self.work.push(known);
                } else if !is_exit {
                    self.grew = true;
                }
            }
            return Ok(known);
        }
        if self.nodes.len() >= self.most_locations {
            return Err(Failure::TooLarge);
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node { clone, location: at, ways: Vec::new(), candidate, family, context });
        self.index.insert(key, id);
        if is_exit {
            self.clones[clone.0 as usize].exit = Some(id);
        } else {
            self.work.push(id);
        }
        Ok(id)
    }

    /// The part of the way to a location that the folding remembers.
    fn context_at(&mut self, before: u32, at: LocationId, family: FamilyId) -> u32 {
        let head = self.loops.is_head(at);
        match self.folding {
            Folding::Iterations(most) => {
                let mut context = self.contexts[before as usize].clone();
                context.iterations.retain(|(head, _)| self.loops.contains(*head, at));
                if head {
                    match context.iterations.iter_mut().find(|(loop_head, _)| *loop_head == at) {
                        Some((_, count)) => *count = (*count + 1).min(most),
                        None => context.iterations.push((at, 1.min(most))),
                    }
                    context.iterations.sort_unstable();
                }
                self.context(context)
            }
            Folding::ExceptLoopHeads if head => {
                self.context(Context { iterations: Vec::new(), block: Some((at, family)) })
            }
            Folding::ExceptLoopHeads => before,
            _ => 0,
        }
    }

    /// Adds a family to those that came to a folded node, and returns all of them.
    fn fold(&mut self, key: (FunctionId, Option<FamilyId>, LocationId, u32), family: FamilyId) -> FamilyId {
        let all = match self.folded.get(&key) {
            None => family,
            Some(&known) if known == family => known,
            Some(&known) => {
                let mut union = self.families[known as usize].clone();
                union.extend(&self.families[family as usize]);
                let union = self.moves.simplified(union);
                let grows = self.families[known as usize] != union;
                // A family that does not stop growing is replaced by the one of which nothing is known.
                let give_up = grows && self.round >= MOST_ROUNDS;
                let anything = self.moves.follower.anything();
                self.family(if give_up { vec![anything] } else { union })
            }
        };
        self.folded.insert(key, all);
        all
    }

    fn expand(&mut self, id: NodeId) -> Result<()> {
        let node = &self.nodes[id.0 as usize];
        let (clone, location, context) = (node.clone, node.location, node.context);
        let family = self.families[node.family as usize].clone();
        let mut ways = Vec::new();
        for &edge in &self.program.location(location).leaving {
            let way = match self.program.edge(edge).op {
                Op::Resume(_) => continue,
                Op::Call(_) => self.call(clone, context, &family, edge)?,
                _ => Way::Step(self.target(clone, context, &family, edge, &mut Vec::new(), None)?),
            };
            ways.push((edge, way));
        }
        self.nodes[id.0 as usize].ways = ways;
        Ok(())
    }

    fn call(&mut self, clone: CloneId, context: u32, family: &[SetId], edge: EdgeId) -> Result<Way> {
        let inside = self.moves.family_after(family, edge, &[]);
        if inside.is_empty() {
            return Ok(Way::Step(Target::Stop));
        }
        let callee = self.program.location(self.program.edge(edge).to).function;
        let mut exits: Family = Vec::new();
        for &entry in &inside {
            exits.extend(self.summaries.exits(callee, entry));
        }
        let exits = self.moves.simplified(exits);
        let called = self.clone_for(callee, inside)?;
        let Op::Call(site) = self.program.edge(edge).op else { return Ok(Way::Step(Target::Stop)) };
        let after = match self.program.call_site(site).resume {
            Some(resume) if !exits.is_empty() => self.target(clone, context, &exits, resume, &mut Vec::new(), None)?,
            _ => Target::Stop,
        };
        Ok(Way::Call { callee: called, after })
    }

    /// Where an edge leads, with a branch for each condition that decides on it.
    fn target(
        &mut self,
        clone: CloneId,
        context: u32,
        family: &[SetId],
        edge: EdgeId,
        given: &mut Vec<Condition>,
        open: Option<&[(Condition, ExprId)]>,
    ) -> Result<Target> {
        let conditions;
        let open = match open {
            Some(open) => open,
            None => {
                conditions = self.moves.conditions(family, edge);
                &conditions
            }
        };
        if let Some(((condition, expression), rest)) = open.split_first() {
            given.push(condition.clone());
            let yes = self.target(clone, context, family, edge, given, Some(rest))?;
            given.pop();
            let no = self.target(clone, context, family, edge, given, Some(rest))?;
            if yes == no {
                return Ok(yes);
            }
            return Ok(Target::Split { condition: *expression, yes: Box::new(yes), no: Box::new(no) });
        }
        let next = self.moves.family_after(family, edge, given);
        if next.is_empty() {
            return Ok(Target::Stop);
        }
        self.arrive(clone, self.program.edge(edge).to, context, next).map(Target::Node)
    }
}

fn sorted(set: &FxHashSet<FunctionId>) -> Vec<FunctionId> {
    let mut list: Vec<FunctionId> = set.iter().copied().collect();
    list.sort_unstable();
    list
}
