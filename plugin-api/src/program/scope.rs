//! Which variable a name of C text means at a place of the program, and which name means a variable there.
//! The program keeps no blocks. Variables of one function with the same name are told apart by where they are declared;
//! where that is not enough, the name is ambiguous.

use super::{FunctionId, LocationId, Program, Span, Storage, VarId, Variable};

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Variable(VarId),
    Function(FunctionId),
    /// Several variables of the function have this name, and it does not show which one is meant.
    Ambiguous,
    Unknown,
}

/// Where text stands that uses names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewpoint {
    pub function: Option<FunctionId>,
    /// If given, variables that the function's text declares after this place are not visible.
    pub location: Option<LocationId>,
}

impl Viewpoint {
    pub fn global() -> Self {
        Viewpoint { function: None, location: None }
    }

    pub fn in_function(function: FunctionId) -> Self {
        Viewpoint { function: Some(function), location: None }
    }

    pub fn at(program: &Program, location: LocationId) -> Self {
        Viewpoint { function: Some(program.location(location).function), location: Some(location) }
    }
}

/// The suffix of names that mean one variable wherever they are used.
const EXPLICIT: &str = "__1";

impl Program {
    /// What `name` means: a variable of the function by the source's name, else one by its unique name, else a global
    /// variable or a function. `x__1` means the variable whose unique name is `x`, whatever else is called `x`.
    pub fn meaning(&self, name: &str, seen_from: Viewpoint) -> Meaning {
        match self.named_in_function(name, seen_from).as_slice() {
            [] => {}
            // It may be seen from outside of its block, where the name means something else.
            [only] if self.hides_another(*only) => return Meaning::Ambiguous,
            [only] => return Meaning::Variable(*only),
            _ => return Meaning::Ambiguous,
        }
        if let Some(id) = self.with_unique_name(name, seen_from.function) {
            return Meaning::Variable(id);
        }
        if let Some(id) = self.function_named(name) {
            return Meaning::Function(id);
        }
        match name.strip_suffix(EXPLICIT).and_then(|name| self.with_unique_name(name, seen_from.function)) {
            Some(id) => Meaning::Variable(id),
            None => Meaning::Unknown,
        }
    }

    /// A name that [`Program::meaning`] takes for this variable wherever the function's names are used; `None` if there
    /// is no such name, as for variables of other functions.
    pub fn name_in(&self, id: VarId, function: Option<FunctionId>) -> Option<String> {
        let seen_from = Viewpoint { function, location: None };
        let unique = &self.variable(id).unique_name;
        let explicit = || format!("{unique}{EXPLICIT}");
        [unique.clone(), explicit()].into_iter().find(|name| self.meaning(name, seen_from) == Meaning::Variable(id))
    }

    fn named_in_function(&self, name: &str, seen_from: Viewpoint) -> Vec<VarId> {
        let Some(function) = seen_from.function else { return Vec::new() };
        let hidden = [Storage::Temporary, Storage::Result, Storage::StringLiteral];
        let named = self.variables.iter().enumerate().filter(|(_, variable)| {
            variable.function == Some(function) && variable.name == name && !hidden.contains(&variable.storage)
        });
        let mut list: Vec<VarId> = named.map(|(index, _)| VarId::new(index)).collect();
        if let (2.., Some(place)) = (list.len(), seen_from.location.and_then(|at| self.position(at))) {
            let declared_later = |id: VarId| {
                let at = self.variable(id).span;
                at.file == place.file && (at.line, at.column) > (place.line, place.column)
            };
            list.retain(|id| !declared_later(*id));
        }
        list
    }

    /// Whether a local has the name of a global variable or of a function.
    fn hides_another(&self, id: VarId) -> bool {
        let variable = self.variable(id);
        let is_global = |other: &Variable| other.function.is_none() && other.name == variable.name;
        variable.storage != Storage::Parameter
            && (self.variables.iter().any(is_global) || self.function_named(&variable.name).is_some())
    }

    /// Among global variables and those of the function.
    fn with_unique_name(&self, name: &str, function: Option<FunctionId>) -> Option<VarId> {
        let visible = |owner: Option<FunctionId>, local: bool| !local || owner == function;
        let at = self
            .variables
            .iter()
            .position(|variable| variable.unique_name == name && visible(variable.function, variable.is_local()));
        at.map(VarId::new)
    }

    /// Where the text of a location begins.
    fn position(&self, location: LocationId) -> Option<Span> {
        let leaving = self.location(location).leaving.iter();
        leaving.map(|edge| self.edge(*edge).span).find(|span| span.is_somewhere())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::test_support::sample_program;

    #[test]
    fn names_lead_back_to_their_variables() {
        let program = sample_program();
        let main = program.function_named("main");
        for (index, variable) in program.variables.iter().enumerate() {
            let id = VarId::new(index);
            let name = program.name_in(id, variable.function);
            let place = Viewpoint { function: variable.function, location: None };
            if let Some(name) = name {
                assert_eq!(program.meaning(&name, place), Meaning::Variable(id), "{name}");
            }
            if variable.function.is_some() && variable.is_local() && variable.function != main {
                assert_eq!(program.name_in(id, main), None);
            }
        }
    }

    #[test]
    fn a_name_of_several_variables_is_ambiguous() {
        let program = sample_program();
        let Some(main) = program.function_named("main") else { panic!("no main") };
        // Two variables of main are named x, and have the unique names x and x_1.
        assert_eq!(program.meaning("x", Viewpoint::in_function(main)), Meaning::Ambiguous);
        assert!(matches!(program.meaning("x_1", Viewpoint::in_function(main)), Meaning::Variable(_)));
        assert!(matches!(program.meaning("x__1", Viewpoint::in_function(main)), Meaning::Variable(_)));
        assert_eq!(program.meaning("missing", Viewpoint::global()), Meaning::Unknown);
    }
}
