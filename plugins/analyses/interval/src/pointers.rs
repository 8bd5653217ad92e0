//! The objects that a pointer may point to: a few, each with the offsets into it. A pointer of which less is known is
//! not represented at all.

use std::sync::Arc;
use tandem_plugin_api::program::{CallSiteId, FunctionId, VarId};

/// Pointers with more targets are unknown.
const MOST_TARGETS: usize = 16;
/// Offsets beyond this are in no object; addresses wrap only far behind it.
pub const FARTHEST: i64 = 1 << 30;

/// What an address is an offset from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    Null,
    Variable(VarId),
    /// A block that a call allocated. All blocks of one call are one base.
    Block(CallSiteId),
    Function(FunctionId),
}

/// `lo`, `lo + stride`, … up to `hi`; just `lo` if the stride is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    pub lo: i64,
    pub hi: i64,
    pub stride: i64,
}

impl Offsets {
    pub const ZERO: Offsets = Offsets { lo: 0, hi: 0, stride: 0 };

    pub fn point(at: i64) -> Self {
        Offsets { lo: at, hi: at, stride: 0 }
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    /// All sums of the two; `None` if they are too far off to be offsets.
    pub fn plus(self, other: Offsets) -> Option<Offsets> {
        let sum = Offsets {
            lo: self.lo.checked_add(other.lo)?,
            hi: self.hi.checked_add(other.hi)?,
            stride: gcd(self.stride, other.stride),
        };
        (sum.lo >= -FARTHEST * 8 && sum.hi <= FARTHEST * 8).then_some(sum)
    }

    pub fn join(self, other: Offsets) -> Offsets {
        let apart = (self.lo - other.lo).abs();
        Offsets {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            stride: gcd(gcd(self.stride, other.stride), apart),
        }
    }

    pub fn within(self, other: Offsets) -> bool {
        let on_grid = |value: i64| match other.stride {
            0 => value == other.lo,
            stride => (value - other.lo) % stride == 0,
        };
        other.lo <= self.lo
            && self.hi <= other.hi
            && on_grid(self.lo)
            && (self.stride == 0 || on_grid(self.lo + self.stride))
    }

    /// The smallest offset that is at least `least`.
    pub fn first_from(self, least: i64) -> Option<i64> {
        let at = if self.lo >= least {
            self.lo
        } else if self.stride == 0 {
            return None;
        } else {
            self.lo + (least - self.lo + self.stride - 1) / self.stride * self.stride
        };
        (at <= self.hi).then_some(at)
    }

    /// From bytes to bits.
    pub fn in_bits(self) -> Offsets {
        Offsets { lo: self.lo * 8, hi: self.hi * 8, stride: self.stride * 8 }
    }

    /// From bits to bytes.
    pub fn in_bytes(self) -> Offsets {
        Offsets { lo: self.lo / 8, hi: self.hi / 8, stride: self.stride / 8 }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub base: Base,
    /// In bytes; zero for null and functions.
    pub offsets: Offsets,
    /// For blocks: they have at least so many bytes.
    pub size: i64,
}

impl Target {
    pub fn new(base: Base, offsets: Offsets) -> Self {
        Target { base, offsets, size: 0 }
    }

    fn join(self, other: Target) -> Target {
        Target { base: self.base, offsets: self.offsets.join(other.offsets), size: self.size.min(other.size) }
    }

    fn within(self, other: Target) -> bool {
        self.offsets.within(other.offsets) && self.size >= other.size
    }
}

/// Where a pointer may point to, sorted by base, each base once; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsTo {
    targets: Arc<[Target]>,
}

impl PointsTo {
    pub fn null() -> Self {
        PointsTo { targets: Arc::new([Target::new(Base::Null, Offsets::ZERO)]) }
    }

    pub fn function(function: FunctionId) -> Self {
        PointsTo { targets: Arc::new([Target::new(Base::Function(function), Offsets::ZERO)]) }
    }

    /// `None` if there are no targets, or too many.
    pub fn of(mut targets: Vec<Target>) -> Option<Self> {
        targets.sort_by_key(|target| target.base);
        let mut merged: Vec<Target> = Vec::with_capacity(targets.len());
        for target in targets {
            match merged.last_mut() {
                Some(last) if last.base == target.base => *last = last.join(target),
                _ => merged.push(target),
            }
        }
        (!merged.is_empty() && merged.len() <= MOST_TARGETS).then(|| PointsTo { targets: merged.into() })
    }

    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    pub fn join(&self, other: &PointsTo) -> Option<PointsTo> {
        PointsTo::of(self.targets.iter().chain(other.targets.iter()).copied().collect())
    }

    pub fn within(&self, other: &PointsTo) -> bool {
        self.targets.iter().all(|ours| {
            let found = other.targets.binary_search_by_key(&ours.base, |target| target.base);
            found.is_ok_and(|index| ours.within(other.targets[index]))
        })
    }

    /// The targets that both allow; `None` if there are none.
    pub fn meet(&self, other: &PointsTo) -> Option<PointsTo> {
        let common = self.targets.iter().filter_map(|ours| {
            let index = other.targets.binary_search_by_key(&ours.base, |target| target.base).ok()?;
            let theirs = other.targets[index];
            // Grids that differ are not intersected: each of the two is right as well.
            Some(if theirs.within(*ours) { theirs } else { *ours })
        });
        PointsTo::of(common.collect())
    }

    /// The targets that pass the test; `None` if no target does.
    pub fn filter(&self, test: impl Fn(&Target) -> bool) -> Option<PointsTo> {
        if self.targets.iter().all(&test) {
            return Some(self.clone());
        }
        PointsTo::of(self.targets.iter().filter(|target| test(target)).copied().collect())
    }

    /// Whether the pointer is not null; `None` if it may be either.
    pub fn truth(&self) -> Option<bool> {
        let nulls = self.targets.iter().filter(|target| target.base == Base::Null).count();
        match nulls {
            0 => Some(true),
            _ if nulls == self.targets.len() => Some(false),
            _ => None,
        }
    }

    /// `pointer + offsets`.
    pub fn moved(&self, by: Offsets) -> Option<PointsTo> {
        if by == Offsets::ZERO {
            return Some(self.clone());
        }
        let mut targets = Vec::with_capacity(self.targets.len());
        for target in self.targets.iter() {
            match target.base {
                Base::Variable(_) | Base::Block(_) => {
                    let offsets = target.offsets.plus(by)?;
                    if offsets.lo < -FARTHEST || offsets.hi > FARTHEST {
                        return None;
                    }
                    targets.push(Target { offsets, ..*target });
                }
                // Addresses near null, or inside of code.
                Base::Null | Base::Function(_) => return None,
            }
        }
        PointsTo::of(targets)
    }

    /// An upper bound for a chain of joins that must end: offsets that grew once more are given up, at the ends of the
    /// object first. `size` gives the bytes of a variable.
    pub fn widen(&self, grown: &PointsTo, size: &dyn Fn(VarId) -> Option<i64>) -> Option<PointsTo> {
        let mut targets = Vec::with_capacity(grown.targets.len());
        for target in grown.targets.iter() {
            let Ok(index) = self.targets.binary_search_by_key(&target.base, |target| target.base) else {
                targets.push(*target);
                continue;
            };
            let before = self.targets[index];
            let end = match target.base {
                Base::Variable(variable) => size(variable)?,
                _ => target.size,
            };
            let Offsets { mut lo, mut hi, stride } = target.offsets;
            let step = stride.max(1);
            if lo < before.offsets.lo {
                // As low as the object goes, on the same grid.
                let room = lo.checked_div_euclid(step)?;
                lo = if lo >= 0 { lo - room * step } else { return None };
            }
            if hi > before.offsets.hi {
                hi = if hi <= end { hi + (end - hi) / step * step } else { return None };
            }
            let size = if target.size < before.size { 0 } else { target.size };
            targets.push(Target { offsets: Offsets { lo, hi, stride }, size, ..*target });
        }
        PointsTo::of(targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(offsets: Offsets) -> Vec<i64> {
        let steps = if offsets.stride == 0 { 0 } else { (offsets.hi - offsets.lo) / offsets.stride };
        (0..=steps).map(|i| offsets.lo + i * offsets.stride).collect()
    }

    fn some_offsets() -> Vec<Offsets> {
        let mut list = Vec::new();
        for lo in -3..4 {
            list.push(Offsets::point(lo));
            for stride in 1..4 {
                list.extend((1..4).map(|count| Offsets { lo, hi: lo + count * stride, stride }));
            }
        }
        list
    }

    #[test]
    fn offsets_are_what_they_stand_for() {
        for a in some_offsets() {
            for b in some_offsets() {
                let (joined, sum) = (all(a.join(b)), all(a.plus(b).unwrap()));
                assert!(all(a).iter().chain(&all(b)).all(|x| joined.contains(x)), "{a:?} {b:?}");
                assert!(all(a).iter().all(|x| all(b).iter().all(|y| sum.contains(&(x + y)))), "{a:?} {b:?}");
                if a.within(b) {
                    assert!(all(a).iter().all(|x| all(b).contains(x)), "{a:?} {b:?}");
                }
                assert!(a.within(a.join(b)), "{a:?} {b:?}");
            }
            for least in -10..20 {
                assert_eq!(a.first_from(least), all(a).into_iter().find(|x| *x >= least), "{a:?} {least}");
            }
        }
    }

    #[test]
    fn sets_of_targets_join_and_meet() {
        let object =
            |index, at| PointsTo::of(vec![Target::new(Base::Variable(VarId(index)), Offsets::point(at))]).unwrap();
        let both = object(1, 0).join(&PointsTo::null()).unwrap();
        assert_eq!((both.truth(), object(1, 0).truth(), PointsTo::null().truth()), (None, Some(true), Some(false)));
        assert!(object(1, 0).within(&both) && !both.within(&object(1, 0)));
        assert_eq!(both.meet(&object(2, 0)), None);
        assert_eq!(both.meet(&object(1, 0)), Some(object(1, 0)));
        let moving = object(1, 0).join(&object(1, 4)).unwrap();
        let widened = object(1, 0).widen(&moving, &|_| Some(40)).unwrap();
        assert_eq!(widened.targets()[0].offsets, Offsets { lo: 0, hi: 40, stride: 4 });
        assert_eq!(moving.widen(&object(1, 44).join(&moving).unwrap(), &|_| Some(40)), None);
        assert_eq!(PointsTo::null().moved(Offsets::point(4)), None);
    }
}
