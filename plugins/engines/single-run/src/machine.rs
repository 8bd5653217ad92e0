//! The one run of a program, step by step: frames, assignments, calls.

use crate::code::{Home, Target};
use crate::eval::View;
use crate::library::{self, Effect};
use crate::memory::{Kind, Memory};
use crate::steps::{self, Source, Step, Steps};
use crate::value::{Address, Checked, Refusal, Shape, Value, refuse};
use tandem_plugin_api::prelude::*;
use tandem_plugin_api::program::{CallSiteId, Storage, TypeId};

/// Calls inside of calls.
const MOST_FRAMES: usize = 1 << 18;
/// The run looks at the clock after each slice of this many steps.
const SLICE: u64 = 1 << 12;

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The run is over without reaching the error.
    Over,
    Error,
    Refused(Refusal),
    /// The host wants it to end, or it has made as many steps as it may.
    Stopped,
}

struct Frame {
    function: FunctionId,
    /// Where its slots begin.
    base: usize,
    /// The call that it came from; `None` for `main`.
    site: Option<CallSiteId>,
    /// The blocks that `alloca` allocated in it.
    blocks: Vec<Address>,
}

/// Everything that changes during a run.
pub struct State<'p> {
    pub program: &'p Program,
    homes: &'p [Home],
    sizes: &'p [u32],
    pub memory: Memory,
    globals: Vec<Address>,
    slots: Vec<Option<Value>>,
    frames: Vec<Frame>,
    pub steps: u64,
    /// The bits of a test's inputs. Without them, a run that reads an input proves nothing.
    pub inputs: Option<Vec<Option<u128>>>,
    read: usize,
    /// Conventions that the run rests on.
    pub conventions: Vec<Convention>,
}

/// A scalar, or the bytes at an address.
enum Given {
    Scalar(Value),
    Bytes(Address),
    Zero,
}

pub fn run<'p>(state: &mut State<'p>, steps: &mut Steps<'p>, host: &Host, most: u64) -> End {
    match state.begin(steps).and_then(|location| state.go_on(location, steps, host, most)) {
        Ok(end) => end,
        Err(refusal) => End::Refused(refusal),
    }
}

impl<'p> State<'p> {
    pub fn new(program: &'p Program, homes: &'p [Home], sizes: &'p [u32]) -> Self {
        State {
            program,
            homes,
            sizes,
            memory: Memory::default(),
            globals: Vec::new(),
            slots: Vec::new(),
            frames: Vec::new(),
            steps: 0,
            inputs: None,
            read: 0,
            conventions: Vec::new(),
        }
    }

    /// Creates globals and the frame of `main`, whose parameters are unknown.
    fn begin(&mut self, code: &Steps<'p>) -> Checked<LocationId> {
        let program = self.program;
        let globals = || program.variables.iter().filter(|variable| !variable.is_local());
        for variable in globals() {
            let kind = match variable.storage {
                Storage::Extern => Kind::Elsewhere,
                _ => Kind::Variable,
            };
            let size = program.types.size_of(variable.ty).unwrap_or(0);
            let address = self.memory.allocate(size, kind, kind != Kind::Elsewhere)?;
            self.globals.push(address);
        }
        let uses = steps::literal_uses(program);
        let is_used_once = |id: usize| uses[id] <= 1;
        let ids = (0..program.variables.len()).filter(|&id| !program.variables[id].is_local());
        for (number, (id, variable)) in ids.zip(globals()).enumerate() {
            for initial in &variable.initializer {
                let (to, value) = code.assignment(initial.place, initial.value);
                let given = self.given(&value)?;
                self.write(&to, given)?;
            }
            if variable.storage == Storage::StringLiteral {
                let kind = if is_used_once(id) { Kind::Literal } else { Kind::Literals };
                self.memory.make_literal(self.globals[number], kind);
            }
        }
        let Some(entry) = program.entry() else { return refuse("it has no function main") };
        self.enter(program.main, None)?;
        Ok(entry)
    }

    fn go_on(&mut self, mut location: LocationId, steps: &mut Steps<'p>, host: &Host, most: u64) -> Checked<End> {
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(SLICE) && (host.stopped().is_some() || self.steps > most) {
                return Ok(End::Stopped);
            }
            location = match steps.at(location) {
                Step::Go(next) => *next,
                Step::Branch { condition, yes, no } => {
                    if self.view().is_true(condition)? {
                        *yes
                    } else {
                        *no
                    }
                }
                Step::Assign { to, value, next } | Step::Return { to, value, next } => {
                    let given = self.given(value)?;
                    self.write(to, given)?;
                    *next
                }
                Step::Declare { variable, next } => {
                    self.declare(*variable)?;
                    *next
                }
                Step::Forget { to, next } => {
                    self.forget(to)?;
                    *next
                }
                Step::Call { site, callee, arguments, entry } => {
                    let (site, callee, entry) = (*site, *callee, *entry);
                    let given: Vec<Given> = arguments.iter().map(|value| self.given(value)).collect::<Checked<_>>()?;
                    self.call(site, callee, given, steps)?;
                    entry
                }
                Step::External { function, arguments, result, next } => {
                    let mut given = Vec::with_capacity(arguments.len());
                    for (value, ty) in arguments {
                        match self.given(value)? {
                            Given::Scalar(value) => given.push((value, *ty)),
                            _ => return refuse("it passes a struct to a function without a body"),
                        }
                    }
                    match self.external(*function, &given, result.as_ref())? {
                        Effect::Ends => return Ok(End::Over),
                        Effect::GoesOn => *next,
                    }
                }
                Step::Input { to, ty, next } => {
                    let value = self.input(*ty)?;
                    to.as_ref().map_or(Ok(()), |to| self.write(to, Given::Scalar(value)))?;
                    *next
                }
                Step::Exit => match self.leave(steps)? {
                    Some(next) => next,
                    None => return Ok(End::Over),
                },
                Step::Dead => return Ok(End::Over),
                Step::Error => return Ok(End::Error),
                Step::Refused(why, name) => return Err(Refusal { why, name: name.clone() }),
            };
        }
    }

    fn view(&self) -> View<'_> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        View { program: self.program, memory: &self.memory, globals: &self.globals, slots: &self.slots[base..] }
    }

    fn given(&self, value: &Source) -> Checked<Given> {
        match value {
            Source::Scalar(node) => self.view().value(node).map(Given::Scalar),
            Source::Bytes(place) => self.view().place(place).map(Given::Bytes),
            Source::Zero => Ok(Given::Zero),
        }
    }

    fn write(&mut self, to: &Target, given: Given) -> Checked<()> {
        match (to, given) {
            (Target::Register(slot), Given::Scalar(value)) => self.set(*slot, Some(value)),
            (Target::Scalar(place, shape), Given::Scalar(value)) => {
                let at = self.view().place(place)?;
                self.memory.store(at, *shape, value)
            }
            (Target::Bits(place, bits), Given::Scalar(Value::Int(value))) => {
                let at = self.view().place(place)?;
                self.memory.store_bits(at, *bits, value)
            }
            (Target::Bytes(place, size), Given::Bytes(from)) => {
                let at = self.view().place(place)?;
                self.memory.copy(at, from, *size, false)
            }
            (Target::Bytes(place, size), Given::Zero) => {
                let at = self.view().place(place)?;
                self.memory.fill(at, *size, 0)
            }
            (Target::Refused(why), _) => refuse(why),
            _ => refuse("it assigns a value that does not fit its place"),
        }
    }

    fn forget(&mut self, to: &Target) -> Checked<()> {
        let (place, size) = match to {
            Target::Register(slot) => return self.set(*slot, None),
            Target::Scalar(place, shape) => (place, shape.size()),
            Target::Bytes(place, size) => (place, *size),
            Target::Bits(..) => return refuse("a bit-field has an unknown value"),
            Target::Refused(why) => return refuse(why),
        };
        let at = self.view().place(place)?;
        self.memory.forget(at, size)
    }

    fn set(&mut self, slot: u32, value: Option<Value>) -> Checked<()> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        match self.slots.get_mut(base + slot as usize) {
            Some(place) => {
                *place = value;
                Ok(())
            }
            None => refuse("it has a variable without a frame"),
        }
    }

    fn input(&mut self, ty: TypeId) -> Checked<Value> {
        let Some(inputs) = &self.inputs else { return refuse("it reads inputs") };
        let bits = inputs.get(self.read).copied().flatten();
        self.read += 1;
        match (bits, Shape::of(&self.program.types, ty)) {
            (Some(bits), Some(shape)) => shape.value(bits),
            _ => refuse("it reads more inputs than the test has"),
        }
    }

    /// The variable's life begins anew: addresses of the earlier object are invalid.
    fn declare(&mut self, variable: VarId) -> Checked<()> {
        match self.homes[variable.index()] {
            Home::Register(slot) => self.set(slot, None),
            Home::Frame(slot) => {
                if let Some(Value::Address(old)) = self.view().slots[slot as usize] {
                    self.memory.release(old)?;
                }
                self.make(variable, slot)
            }
            Home::Global(_) => Ok(()),
        }
    }

    fn make(&mut self, variable: VarId, slot: u32) -> Checked<()> {
        let Some(size) = self.program.types.size_of(self.program.variable(variable).ty) else {
            return refuse("it has a variable without a size");
        };
        let address = self.memory.allocate(size, Kind::Variable, false)?;
        self.set(slot, Some(Value::Address(address)))
    }

    /// Creates a frame for a function, with objects for variables that have an address.
    fn enter(&mut self, id: FunctionId, site: Option<CallSiteId>) -> Checked<()> {
        if self.frames.len() >= MOST_FRAMES {
            return refuse("its calls are nested very deeply");
        }
        let base = self.slots.len();
        self.slots.resize(base + self.sizes[id.index()] as usize, None);
        self.frames.push(Frame { function: id, base, site, blocks: Vec::new() });
        let function = self.program.function(id);
        for &variable in function.parameters.iter().chain(&function.locals).chain(&function.result) {
            if let Home::Frame(slot) = self.homes[variable.index()] {
                self.make(variable, slot)?;
            }
        }
        Ok(())
    }

    fn call(&mut self, site: CallSiteId, callee: FunctionId, given: Vec<Given>, steps: &Steps<'p>) -> Checked<()> {
        let parameters = &self.program.function(callee).parameters;
        // If there are fewer arguments than parameters, the other parameters are indeterminate; further arguments are
        // ignored.
        self.enter(callee, Some(site))?;
        for (&parameter, given) in parameters.iter().zip(given) {
            self.write(&steps.variable(parameter), given)?;
        }
        Ok(())
    }

    /// The end of a function: its result goes where the call says; `None` at the end of `main`.
    fn leave(&mut self, steps: &Steps<'p>) -> Checked<Option<LocationId>> {
        let Some(frame) = self.frames.pop() else { return Ok(None) };
        let Some(site) = frame.site else { return Ok(None) };
        let function = self.program.function(frame.function);
        if let (Some(to), Some(result)) = (steps.result(site), function.result) {
            let slot = |home: Home| match home {
                Home::Register(slot) | Home::Frame(slot) => self.slots[frame.base + slot as usize],
                Home::Global(_) => None,
            };
            let home = self.homes[result.index()];
            match (home, slot(home)) {
                (Home::Register(_), Some(value)) => self.write(&to, Given::Scalar(value))?,
                (Home::Frame(_), Some(Value::Address(at))) => {
                    match Shape::of(&self.program.types, self.program.variable(result).ty) {
                        Some(shape) => {
                            let value = self.memory.load(at, shape)?;
                            self.write(&to, Given::Scalar(value))?;
                        }
                        None => self.write(&to, Given::Bytes(at))?,
                    }
                }
                // The function returned nothing, so that the caller gets an indeterminate value.
                _ => self.forget(&to)?,
            }
        }
        let own = function.parameters.iter().chain(&function.locals).chain(&function.result);
        for &variable in own {
            if let Home::Frame(slot) = self.homes[variable.index()]
                && let Some(Value::Address(at)) = self.slots[frame.base + slot as usize]
            {
                self.memory.release(at)?;
            }
        }
        for block in frame.blocks {
            self.memory.release(block)?;
        }
        self.slots.truncate(frame.base);
        match self.program.return_location(site) {
            Some(next) => Ok(Some(next)),
            None => refuse("it returns from a call that does not return"),
        }
    }

    fn external(&mut self, id: FunctionId, given: &[(Value, TypeId)], result: Option<&Target>) -> Checked<Effect> {
        let name = self.program.function(id).name.as_str();
        let (effect, value) = library::call(self, name, given, result.is_some())?;
        if let (Some(to), Effect::GoesOn) = (result, effect) {
            match value {
                Some(value) => self.write(to, Given::Scalar(value))?,
                None => self.forget(to)?,
            }
        }
        Ok(effect)
    }

    /// Whether all bytes of global integers and arrays of integers are known.
    pub fn numbers_are_known(&self) -> bool {
        let globals = self.program.variables.iter().filter(|variable| !variable.is_local());
        let is_number = |mut ty: TypeId| {
            while let Some(element) = self.program.types.element(ty) {
                ty = element;
            }
            self.program.types.is_integer(ty)
        };
        let defined = globals.zip(&self.globals).filter(|(variable, _)| variable.storage != Storage::Extern);
        defined.filter(|(variable, _)| is_number(variable.ty)).all(|(_, at)| self.memory.is_known(*at))
    }

    /// Memory that lives as long as the function that runs.
    pub fn block_of_frame(&mut self, size: u64) -> Checked<Address> {
        let block = self.memory.allocate(size, Kind::Variable, false)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.blocks.push(block);
        }
        Ok(block)
    }
}
