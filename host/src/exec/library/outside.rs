//! What works on the outside of the program and has a model nevertheless: there is no environment, and time does not matter.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] =
    &[Model::new("getenv", getenv), Model::new("sleep", |_| Ok(int(0))), Model::new("usleep", |_| Ok(int(0)))];

fn getenv(call: &mut Call<'_>) -> Result<u64, Stop> {
    let name = call.pointer(0)?;
    call.length(name)?;
    Ok(0)
}
