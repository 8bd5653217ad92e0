//! A small pseudo-random generator (splitmix64): the same seed gives the same campaign, on every machine.

#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed ^ 0x5851_F42D_4C95_7F2D)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias of the multiplication is below 2^-32 for all bounds that occur.
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number of `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }

    /// A length that is small most of the time: 1, 2, 4, … up to `most`.
    pub fn short(&mut self, most: usize) -> usize {
        let mut length = 1;
        while length < most && self.one_in(2) {
            length *= 2;
        }
        self.between(length.div_ceil(2), length).clamp(1, most.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_bounds_and_repeat_with_the_seed() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..1000).map(|_| (random.below(7), random.between(3, 5), random.short(20))).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert!(draw(1).iter().all(|&(a, b, c)| a < 7 && (3..=5).contains(&b) && (1..=20).contains(&c)));
        assert!((0..7).all(|wanted| draw(1).iter().any(|&(a, ..)| a == wanted)));
        assert_eq!(Random::new(1).below(0), 0);
    }
}
