//! Calls of functions without a body. By convention they return any value and change nothing, except for those of the C
//! library that write through their pointers, allocate, or never return.

use crate::interval::Interval;
use crate::layout::Kind;
use crate::machine::Machine;
use crate::places::Places;
use crate::pointers::{Base, Offsets, PointsTo, Target};
use crate::value::{Cells, Known};
use tandem_plugin_api::program::{CallSite, CallSiteId, Callee, ExprId};

const NEVER_RETURN: [&str; 8] =
    ["abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert_perror_fail", "__assert"];

const ALLOCA: [&str; 2] = ["alloca", "__builtin_alloca"];

/// The effect of a library function on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Gives a new block; the product of these arguments is its size.
    Allocates(&'static [usize]),
    /// Writes as many bytes as an argument says to where another points; returns that pointer or something else.
    Writes { to: usize, bytes: usize, returns_it: bool },
    /// The same with zeros if the second argument is zero.
    Fills,
    /// Writes one object of the type that these arguments point to.
    WritesOne(usize),
    /// Writes through its pointers, to an unknown extent.
    WritesMuch,
}

/// By the names without `__builtin_`.
fn effect(name: &str) -> Option<Effect> {
    use Effect::*;
    Some(match name {
        "malloc" | "valloc" => Allocates(&[0]),
        "calloc" => Allocates(&[0, 1]),
        "realloc" | "memalign" | "aligned_alloc" => Allocates(&[1]),
        "reallocarray" => Allocates(&[1, 2]),
        "strdup" | "__strdup" | "strndup" | "__strndup" => Allocates(&[]),
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "strncpy" | "__strncpy_chk" => {
            Writes { to: 0, bytes: 2, returns_it: true }
        }
        "memccpy" => Writes { to: 0, bytes: 3, returns_it: false },
        "mempcpy" | "__mempcpy" => Writes { to: 0, bytes: 2, returns_it: false },
        "bcopy" => Writes { to: 1, bytes: 2, returns_it: false },
        "bzero" | "__bzero" | "explicit_bzero" | "snprintf" => Writes { to: 0, bytes: 1, returns_it: false },
        "vsnprintf" | "__snprintf_chk" | "fgets" => Writes { to: 0, bytes: 1, returns_it: false },
        "read" | "recv" => Writes { to: 1, bytes: 2, returns_it: false },
        "memset" | "__memset_chk" => Fills,
        "frexp" | "frexpf" | "modf" | "modff" | "frexpl" | "modfl" => WritesOne(1),
        "remquo" | "remquof" => WritesOne(2),
        "rand_r" | "time" | "wait" => WritesOne(0),
        "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtoq" | "strtouq" | "strtoimax" | "strtoumax" | "strtod"
        | "strtof" | "strtold" => WritesOne(1),
        "strcpy"
        | "__strcpy_chk"
        | "stpcpy"
        | "__stpcpy"
        | "strcat"
        | "__strcat_chk"
        | "strncat"
        | "strtok"
        | "strtok_r"
        | "__strtok_r"
        | "strsep"
        | "sprintf"
        | "__sprintf_chk"
        | "vsprintf"
        | "asprintf"
        | "vasprintf"
        | "gets"
        | "getline"
        | "scanf"
        | "fscanf"
        | "sscanf"
        | "__isoc99_scanf"
        | "__isoc99_fscanf"
        | "__isoc99_sscanf"
        | "vscanf"
        | "vfscanf"
        | "vsscanf"
        | "fread"
        | "posix_memalign"
        | "gettimeofday"
        | "clock_gettime"
        | "sigaction"
        | "setjmp"
        | "_setjmp"
        | "__sigsetjmp"
        | "sigsetjmp"
        | "pthread_create"
        | "pthread_join"
        | "pthread_mutex_init"
        | "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_destroy"
        | "pthread_cond_init"
        | "pthread_cond_wait"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_cond_destroy"
        | "qsort"
        | "qsort_r"
        | "bsearch"
        | "setvbuf"
        | "setbuf"
        | "putenv"
        | "localtime_r"
        | "gmtime_r"
        | "readlink"
        | "stat"
        | "fstat"
        | "lstat"
        | "pipe"
        | "poll"
        | "select"
        | "recvfrom"
        | "getcwd"
        | "gethostname"
        | "swab" => WritesMuch,
        _ => return None,
    })
}

impl Machine {
    fn callee_name(&self, site: CallSiteId) -> Option<&str> {
        match self.program.call_site(site).callee {
            Callee::Function(callee) => Some(self.program.function(callee).name.as_str()),
            Callee::Pointer(_) => None,
        }
    }

    /// Whether the call allocates in the caller's frame.
    pub fn is_alloca(&self, site: CallSiteId) -> bool {
        self.callee_name(site).is_some_and(|name| ALLOCA.contains(&name))
    }

    /// A call that stays on its edge; `None` if it never returns.
    pub fn external(&self, state: &Cells, site: CallSiteId) -> Option<Cells> {
        let call = self.program.call_site(site);
        let mut after = state.clone();
        let name = self.callee_name(site).unwrap_or_default();
        if NEVER_RETURN.contains(&name) {
            return None;
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let plain =
            plain.strip_prefix('_').filter(|rest| rest.starts_with("__") && rest.ends_with("_chk")).unwrap_or(plain);
        let result = if ALLOCA.contains(&name) {
            self.new_block(state, call, site, &[0], false)
        } else if let Some(effect) = effect(plain) {
            self.with_effect(state, &mut after, call, site, effect)
        } else {
            self.computed(state, call, plain)
        };
        if let Some(place) = call.result {
            self.set_result(state, &mut after, place, result);
        }
        Some(after)
    }

    fn set_result(&self, before: &Cells, after: &mut Cells, place: ExprId, result: Known) {
        let Some(access) = self.access(place) else { return self.write_anywhere(after) };
        let places = self.places(before, place);
        let fits = matches!(
            (&result, access.kind),
            (Known::Int(_), Some(Kind::Int(_))) | (Known::Pointer(_), Some(Kind::Pointer))
        );
        let result = if fits { result } else { self.anything(self.ty(place)) };
        self.write(after, &places, access, &result);
    }

    fn with_effect(
        &self,
        state: &Cells,
        after: &mut Cells,
        call: &CallSite,
        site: CallSiteId,
        effect: Effect,
    ) -> Known {
        let argument = |index: usize| call.arguments.get(index).map_or(Known::Nothing, |&a| self.evaluate(state, a));
        match effect {
            Effect::Allocates(sizes) => return self.new_block(state, call, site, sizes, true),
            Effect::Writes { to, bytes, returns_it } => {
                self.forget_bytes(after, &argument(to), &argument(bytes));
                return if returns_it { argument(to) } else { Known::Nothing };
            }
            Effect::Fills => {
                let (to, value, bytes) = (argument(0), argument(1), argument(2));
                match (&value, &bytes) {
                    (Known::Int(value), Known::Int(bytes))
                        if *value == Interval::point(0) && bytes.is_point() && bytes.lo < 1 << 30 =>
                    {
                        self.fill_with_zero(after, &Places::pointee(&to), bytes.lo as i64 * 8);
                    }
                    _ => self.forget_bytes(after, &to, &bytes),
                }
                return to;
            }
            Effect::WritesOne(index) => {
                let pointee = call.arguments.get(index).and_then(|&a| self.program.types.pointee(self.ty(a)));
                let size = pointee.and_then(|ty| self.program.types.size_of(ty)).unwrap_or(16);
                self.forget_bytes(after, &argument(index), &Known::Int(Interval::point(size.into())));
            }
            Effect::WritesMuch => {
                self.hazard.set(true);
                for &argument in &call.arguments {
                    if self.program.types.is_pointer(self.ty(argument)) {
                        self.forget_objects(after, &self.evaluate(state, argument));
                    }
                }
            }
        }
        Known::Nothing
    }

    /// Some bytes from where a pointer points get unknown values.
    fn forget_bytes(&self, after: &mut Cells, to: &Known, bytes: &Known) {
        let most = match bytes {
            Known::Int(bytes) if bytes.hi < 1 << 30 => bytes.hi as i64,
            _ => {
                self.hazard.set(true);
                return self.forget_objects(after, to);
            }
        };
        if most == 0 {
            return;
        }
        let width = most * 8;
        self.write_each(after, &Places::pointee(to), width, &mut |state, variable, at| {
            self.forget(state, variable, at, width);
        });
    }

    /// All objects that a pointer may point into get unknown values.
    fn forget_objects(&self, after: &mut Cells, to: &Known) {
        let Known::Pointer(pointer) = to else { return self.write_anywhere(after) };
        for target in pointer.targets() {
            if let Base::Variable(variable) = target.base {
                after.remove_range(self.layout.of_variable(variable));
            }
        }
    }

    fn new_block(&self, state: &Cells, call: &CallSite, site: CallSiteId, sizes: &[usize], may_fail: bool) -> Known {
        let mut size: i128 = if sizes.is_empty() { 0 } else { 1 };
        for &index in sizes {
            let factor = match call.arguments.get(index).map(|&a| self.evaluate(state, a)) {
                Some(Known::Int(interval)) => interval.lo.max(0),
                _ => 0,
            };
            size = size.saturating_mul(factor).min(1 << 30);
        }
        let mut targets = vec![Target { base: Base::Block(site), offsets: Offsets::ZERO, size: size as i64 }];
        if may_fail {
            targets.push(Target::new(Base::Null, Offsets::ZERO));
        }
        PointsTo::of(targets).map_or(Known::Nothing, Known::Pointer)
    }

    /// Functions whose results have bounds.
    fn computed(&self, state: &Cells, call: &CallSite, name: &str) -> Known {
        let first = call.arguments.first().map(|&argument| (argument, self.evaluate(state, argument)));
        let Some((argument, Known::Int(value))) = first else { return Known::Nothing };
        let same_type = call.result.is_some_and(|place| self.ty(place) == self.ty(argument));
        match (name, self.shape(self.ty(argument)), same_type) {
            ("expect", _, true) => Known::Int(value),
            ("abs" | "labs" | "llabs" | "imaxabs", Some(shape), true) if value.lo > shape.min() => {
                let mirrored = value.negated();
                let hi = value.hi.max(mirrored.hi);
                Known::Int(Interval { lo: value.lo.max(mirrored.lo).max(0), hi })
            }
            _ => Known::Nothing,
        }
    }
}
