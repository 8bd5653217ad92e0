//! Pseudo-random numbers, the same sequence as glibc's: an additive feedback generator of degree 31.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    Model::new("rand", |call| Ok(int(call.state.random.next()))),
    Model::new("random", |call| Ok(int(call.state.random.next()))),
    Model::new("srand", seed).also(&["srandom"]),
    Model::new("rand_r", rand_r),
];

const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// glibc's `TYPE_3` generator.
#[derive(Clone, Debug, Default)]
pub struct Generator {
    ring: [u32; DEGREE],
    front: usize,
    rear: usize,
    seeded: bool,
}

impl Generator {
    pub fn reset(&mut self) {
        self.seeded = false;
    }

    /// Park and Miller's generator fills the ring, and ten rounds mix it.
    pub fn seed(&mut self, seed: u32) {
        let mut word = i64::from(seed.max(1) as i32);
        for entry in &mut self.ring {
            *entry = word as u32;
            word = 16807 * (word % 127_773) - 2836 * (word / 127_773);
            if word < 0 {
                word += i64::from(i32::MAX);
            }
        }
        (self.front, self.rear, self.seeded) = (SEPARATION, 0, true);
        for _ in 0..10 * DEGREE {
            self.next();
        }
    }

    pub fn next(&mut self) -> i32 {
        if !self.seeded {
            self.seed(1);
        }
        let sum = self.ring[self.front].wrapping_add(self.ring[self.rear]);
        self.ring[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        self.rear = (self.rear + 1) % DEGREE;
        (sum >> 1) as i32
    }
}

fn seed(call: &mut Call<'_>) -> Result<u64, Stop> {
    let seed = call.int(0)? as u32;
    call.state.random.seed(seed);
    Ok(0)
}

fn rand_r(call: &mut Call<'_>) -> Result<u64, Stop> {
    let place = call.pointer(0)?;
    let bytes = call.bytes(place, 4)?;
    let mut next = bytes.iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
    let mut draw = |range: u32| {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        next / 65_536 % range
    };
    let result = (draw(2048) << 10 ^ draw(1024)) << 10 ^ draw(1024);
    call.write(place, &next.to_le_bytes())?;
    Ok(int(result as i32))
}
