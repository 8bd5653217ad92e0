//! Every shared task definition and property file is read as `tasks.csv` describes it.
//! Skipped, with a message, where the shared folder is not there.

use std::path::{Path, PathBuf};
use tandem::artifact::{property, task_definition};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::Property;

fn shared() -> PathBuf {
    match std::env::var_os("TANDEM_SHARED") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    }
}

#[test]
fn every_shared_task_definition() {
    let folder = shared().join("sv-benchmarks");
    let Ok(table) = std::fs::read_to_string(folder.join("tasks.csv")) else {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    };
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let task = task_definition::read(&folder.join(fields[1])).unwrap();
        assert_eq!(task.input_files, [folder.join(fields[2])]);
        assert_eq!(task.data_model.map(DataModel::name), Some(fields[3]));
        let mut verdict = None;
        for entry in &task.properties {
            match property::read(&entry.file).unwrap().property {
                Property::UnreachableCall { .. } => verdict = entry.expected,
                _ => assert_eq!(entry.expected, None),
            }
        }
        assert_eq!(verdict.map(|verdict| verdict.to_string()).as_deref(), Some(fields[4]), "{row}");
    }
}

#[test]
fn the_format_examples() {
    let folder = shared().join("formats/examples");
    if !folder.exists() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    for (name, model, expected) in [("count", DataModel::Ilp32, true), ("seven", DataModel::Lp64, false)] {
        let task = task_definition::read(&folder.join(format!("{name}.yml"))).unwrap();
        assert_eq!(task.input_files, [folder.join(format!("{name}.c"))]);
        assert_eq!((task.data_model, task.properties[0].expected), (Some(model), Some(expected)));
        let read = property::read(&task.properties[0].file).unwrap();
        assert_eq!(read.property, Property::UnreachableCall { function: "reach_error".to_owned() });
        assert_eq!(property::write(&read.property, &read.entry).trim(), read.text);
    }
    let old = property::read(&folder.join("properties/unreach-call-old.prp")).unwrap();
    assert_eq!(old.property, Property::UnreachableCall { function: "__VERIFIER_error".to_owned() });
}
