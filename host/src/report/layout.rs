//! Places the nodes of a directed graph in layers, edges downwards if possible (Sugiyama, Tagawa, Toda 1981): made for
//! ten thousand nodes in a fraction of a second.

/// Room between neighbours in a layer.
const GAP: f64 = 24.0;
/// Room that an edge takes that passes a layer.
const PASSING: f64 = 12.0;
/// If there are more for each node, edges may pass layers anywhere.
const MOST_PASSING: usize = 6;
const ROUNDS: usize = 6;

/// Where everything is; the centres of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    pub nodes: Vec<(f64, f64)>,
    /// By edge: the points that it passes between its ends.
    pub bends: Vec<Vec<(f64, f64)>>,
    pub width: f64,
    pub height: f64,
}

/// Places nodes of these widths. `row` is the distance of layers.
pub fn place(widths: &[f64], edges: &[(usize, usize)], row: f64) -> Placed {
    let is_known = |&(from, to): &(usize, usize)| from < widths.len() && to < widths.len();
    if widths.is_empty() || !edges.iter().all(is_known) {
        return Placed::default();
    }
    let (down, order) = downwards(widths.len(), edges);
    let layer = layers(widths.len(), &down, &order);
    let mut graph = Layered::new(widths, &layer, &down, &order);
    for round in 0..ROUNDS {
        graph.sort(round % 2 == 0);
    }
    graph.spread();
    graph.finish(widths.len(), edges, &down, row)
}

/// The edges with those turned round that close a cycle, and the nodes in an order in which all of them go forward.
fn downwards(count: usize, edges: &[(usize, usize)]) -> (Vec<(usize, usize)>, Vec<usize>) {
    let mut leaving = vec![Vec::new(); count];
    for (number, &(from, _)) in edges.iter().enumerate() {
        leaving[from].push(number);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; count];
    let mut turned = vec![false; edges.len()];
    let mut finished = Vec::with_capacity(count);
    for root in 0..count {
        if mark[root] != Mark::New {
            continue;
        }
        let mut path = vec![(root, 0)];
        mark[root] = Mark::Open;
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = leaving[*node].get(*next) else {
                mark[*node] = Mark::Done;
                finished.push(*node);
                path.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match mark[to] {
                Mark::New => {
                    mark[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => turned[edge] = true,
                Mark::Done => {}
            }
        }
    }
    finished.reverse();
    let turn = |(&(from, to), turned): (&(usize, usize), &bool)| if *turned { (to, from) } else { (from, to) };
    (edges.iter().zip(&turned).map(turn).collect(), finished)
}

/// Each node one layer below the lowest of those that lead to it.
fn layers(count: usize, down: &[(usize, usize)], order: &[usize]) -> Vec<usize> {
    let mut leaving = vec![Vec::new(); count];
    for &(from, to) in down.iter().filter(|(from, to)| from != to) {
        leaving[from].push(to);
    }
    let mut layer = vec![0; count];
    for &node in order {
        for &to in &leaving[node] {
            layer[to] = layer[to].max(layer[node] + 1);
        }
    }
    layer
}

/// Nodes and the places where edges pass, by layer.
struct Layered {
    rows: Vec<Vec<usize>>,
    layer: Vec<usize>,
    width: Vec<f64>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    x: Vec<f64>,
    /// By edge: the places where it passes, from above.
    passing: Vec<Vec<usize>>,
}

impl Layered {
    fn new(widths: &[f64], layer: &[usize], down: &[(usize, usize)], order: &[usize]) -> Self {
        let depth = layer.iter().max().map_or(0, |last| last + 1);
        let mut graph = Layered {
            rows: vec![Vec::new(); depth],
            layer: layer.to_vec(),
            width: widths.to_vec(),
            above: vec![Vec::new(); widths.len()],
            below: vec![Vec::new(); widths.len()],
            x: Vec::new(),
            passing: vec![Vec::new(); down.len()],
        };
        for &node in order {
            graph.rows[layer[node]].push(node);
        }
        let mut room = widths.len() * MOST_PASSING + 1000;
        for (edge, &(from, to)) in down.iter().enumerate().filter(|(_, (from, to))| from != to) {
            let long = layer[to] - layer[from] - 1;
            let mut last = from;
            if long <= room {
                room -= long;
                for at in layer[from] + 1..layer[to] {
                    let place = graph.add_passing(at);
                    graph.passing[edge].push(place);
                    graph.link(last, place);
                    last = place;
                }
            }
            graph.link(last, to);
        }
        graph.x = vec![0.0; graph.width.len()];
        graph
    }

    fn add_passing(&mut self, layer: usize) -> usize {
        let place = self.width.len();
        self.width.push(PASSING);
        self.layer.push(layer);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.rows[layer].push(place);
        place
    }

    fn link(&mut self, from: usize, to: usize) {
        self.below[from].push(to);
        self.above[to].push(from);
    }

    /// Orders each layer by where the neighbours in the last one are.
    fn sort(&mut self, downwards: bool) {
        let mut position = vec![0.0; self.width.len()];
        for row in &self.rows {
            row.iter().enumerate().for_each(|(at, place)| position[*place] = at as f64);
        }
        let depth = self.rows.len();
        for step in 0..depth {
            let row = if downwards { step } else { depth - 1 - step };
            let neighbours = if downwards { &self.above } else { &self.below };
            let wish = |place: usize| mean(&neighbours[place], &position).unwrap_or(position[place]);
            let mut wished: Vec<(f64, usize)> = self.rows[row].iter().map(|&place| (wish(place), place)).collect();
            wished.sort_by(|one, other| one.0.total_cmp(&other.0));
            self.rows[row] = wished.into_iter().map(|(_, place)| place).collect();
            self.rows[row].iter().enumerate().for_each(|(at, place)| position[*place] = at as f64);
        }
    }

    /// Moves nodes towards their neighbours, as far as their layer has room.
    fn spread(&mut self) {
        for row in &self.rows {
            let mut at = 0.0;
            for &place in row {
                self.x[place] = at + self.width[place] / 2.0;
                at += self.width[place] + GAP;
            }
        }
        let depth = self.rows.len();
        for round in 0..2 * ROUNDS {
            let downwards = round % 2 == 0;
            for step in 0..depth {
                let row = if downwards { step } else { depth - 1 - step };
                let neighbours = if downwards { &self.above } else { &self.below };
                let wish = |place: usize| mean(&neighbours[place], &self.x).unwrap_or(self.x[place]);
                let wishes: Vec<f64> = self.rows[row].iter().map(|&place| wish(place)).collect();
                let widths: Vec<f64> = self.rows[row].iter().map(|&place| self.width[place]).collect();
                for (&place, x) in self.rows[row].iter().zip(nearest(&wishes, &widths)) {
                    self.x[place] = x;
                }
            }
        }
    }

    fn finish(self, nodes: usize, edges: &[(usize, usize)], down: &[(usize, usize)], row: f64) -> Placed {
        let left = (0..self.x.len()).map(|place| self.x[place] - self.width[place] / 2.0).fold(f64::MAX, f64::min);
        let right = (0..self.x.len()).map(|place| self.x[place] + self.width[place] / 2.0).fold(f64::MIN, f64::max);
        let point = |place: usize| (self.x[place] - left + GAP, (self.layer[place] as f64 + 0.5) * row);
        let bends = edges.iter().zip(down).zip(&self.passing).map(|((edge, down), passing)| {
            let mut points: Vec<(f64, f64)> = passing.iter().map(|&place| point(place)).collect();
            if edge != down {
                points.reverse();
            }
            points
        });
        Placed {
            bends: bends.collect(),
            nodes: (0..nodes).map(point).collect(),
            width: right - left + 2.0 * GAP,
            height: self.rows.len() as f64 * row,
        }
    }
}

fn mean(places: &[usize], values: &[f64]) -> Option<f64> {
    let sum: f64 = places.iter().map(|&place| values[place]).sum();
    (!places.is_empty()).then(|| sum / places.len() as f64)
}

/// The positions nearest to the wished ones (least squares) at which things of these widths, in this order, do not
/// overlap: isotonic regression by pooling adjacent violators.
fn nearest(wishes: &[f64], widths: &[f64]) -> Vec<f64> {
    // Without their widths, positions only have to ascend.
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(wishes.len());
    for (at, width) in widths.iter().enumerate() {
        if at > 0 {
            offset += (widths[at - 1] + width) / 2.0 + GAP;
        }
        offsets.push(offset);
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(&offsets) {
        let mut pool = (wish - offset, 1);
        while let Some(&(mean, count)) = pools.last().filter(|(mean, _)| *mean > pool.0) {
            pools.pop();
            let sum = mean * count as f64 + pool.0 * pool.1 as f64;
            pool = (sum / (count + pool.1) as f64, count + pool.1);
        }
        pools.push(pool);
    }
    let pooled = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    pooled.zip(offsets).map(|(mean, offset)| mean + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_down_and_nothing_overlaps() {
        // A diamond with a loop back to its top, and a long edge.
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (3, 4), (0, 4), (4, 4)];
        let placed = place(&[40.0; 5], &edges, 50.0);
        for (from, to) in edges.iter().filter(|edge| **edge != (3, 0) && edge.0 != edge.1) {
            assert!(placed.nodes[*from].1 < placed.nodes[*to].1, "{from} {to}");
        }
        assert!((placed.nodes[1].0 - placed.nodes[2].0).abs() >= 40.0 + GAP - 1e-6);
        // Both long edges pass the layers between their ends, from their own beginning on.
        assert_eq!(placed.bends[6].iter().map(|p| p.1).collect::<Vec<_>>(), [75.0, 125.0]);
        assert_eq!(placed.bends[4].len(), 1);
        assert_eq!(placed.height, 200.0);
        assert!(placed.nodes.iter().all(|(x, _)| (20.0..=placed.width - 20.0).contains(x)));
    }

    #[test]
    fn ten_thousand_nodes_take_a_moment() {
        let count = 10_000;
        let edges: Vec<(usize, usize)> = (1..count).flat_map(|at| [(at / 3, at), (at, (at * 7919) % count)]).collect();
        let started = std::time::Instant::now();
        let placed = place(&vec![60.0; count], &edges, 40.0);
        assert_eq!((placed.nodes.len(), placed.bends.len()), (count, edges.len()));
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn nothing_and_nonsense_are_empty() {
        assert_eq!(place(&[], &[], 10.0), Placed::default());
        assert_eq!(place(&[1.0], &[(0, 7)], 10.0), Placed::default());
    }
}
