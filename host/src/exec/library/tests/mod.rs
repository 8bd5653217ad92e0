//! The models, compared with the table of what is known of library functions.

use super::*;
use std::collections::BTreeSet;
use tandem_plugin_api::library::Models;

#[test]
fn the_table_claims_what_can_be_executed() {
    let implemented: Vec<&str> = GROUPS.into_iter().flatten().flat_map(Model::names).collect();
    let once: BTreeSet<&str> = implemented.iter().copied().collect();
    assert_eq!(once.len(), implemented.len(), "a name has two models");
    let claimed = LibraryFunction::all().filter(|function| function.has(Models::EXECUTION)).map(LibraryFunction::name);
    assert_eq!(once, claimed.collect::<BTreeSet<&str>>());
}
