//! Checks a whole configuration against the plugins that are there, before anything runs: unknown keys, wrong types,
//! values out of range, unknown plugins and actors. All mistakes are reported at once.

use super::check_run::{check_run, report_unused};
use super::config::{Actor, ActorKind, Config, ISOLATIONS, Isolation, ORDERS, PluginUse, REFINEMENTS};
use super::document::{Entry, Place, Table};
use super::library::Document;
use super::part::{Part, StepOrder};
use super::schema::{Fields, Problems, read_option, read_table};
use crate::cpa::Settings;
use crate::diagnostic::{Diagnostic, did_you_mean};
use std::collections::BTreeMap;
use tandem_plugin_api::descriptor::{ArtifactKind, Descriptor, PluginKind};
use tandem_plugin_api::options::Options;

/// The plugins that a configuration may name.
pub struct Available<'p> {
    pub plugins: Vec<&'p Descriptor>,
    /// The help text where a plugin is missing.
    pub help_if_missing: String,
}

impl Available<'_> {
    fn has(&self, name: &str) -> bool {
        self.plugins.iter().any(|plugin| plugin.name == name)
    }
}

/// The configuration that the document describes, or everything that is wrong with it.
pub fn check(document: &Document, available: &Available<'_>) -> Result<Config, Vec<Diagnostic>> {
    let mut problems = Problems::new(&document.sources);
    let mut fields = Fields::new("a configuration", &document.root);
    // Its value was used and checked when the document was opened.
    fields.take("extends");
    let about = fields.text(&mut problems, "about").map_or(String::new(), |(text, _)| text.to_string());
    let actor_table = fields.table(&mut problems, "actor");
    let run_entry = fields.take("run");
    fields.finish(&mut problems);

    let actors = check_actors(&mut problems, actor_table, available, document.sources.start());
    let names: Vec<&str> = actors.keys().map(String::as_str).collect();
    let run = check_run(&mut problems, run_entry, &names, available, document.sources.start());
    if let Some(run) = &run {
        report_unused(&mut problems, actor_table, run);
        Needs { problems: &mut problems, actors: &actors, available }.check(&*run.part, &mut Vec::new());
        check_parts(&*run.part, &CheckedActors { actors: &actors, available }, &mut problems);
    }
    let problems = problems.into_diagnostics();
    match run {
        Some(run) if problems.is_empty() => {
            let actors = actors.into_values().flatten().map(|(actor, _)| actor).collect();
            Ok(Config { name: document.name.clone(), about, actors, run })
        }
        _ => Err(problems),
    }
}

/// Has each part check itself, now that all actors are known.
fn check_parts(part: &dyn Part, actors: &CheckedActors<'_>, problems: &mut Problems<'_>) {
    part.check(actors, problems);
    part.steps().into_iter().for_each(|step| check_parts(&*step.part, actors, problems));
}

/// Every actor that is defined, by name, and where; none as value where its definition is wrong, which was reported then.
type Actors = BTreeMap<String, Option<(Actor, Place)>>;

fn check_actors(problems: &mut Problems<'_>, table: Option<&Table>, available: &Available<'_>, start: Place) -> Actors {
    let entries = table.map_or(&[][..], |table| &table.entries);
    if entries.is_empty() {
        let help = "a configuration needs at least one, for example:\n    [actor.main]\n    analyses = [\"location\"]";
        problems.report_with_help(start, "no actor is defined", help);
    }
    let mut actors = Actors::new();
    for entry in entries {
        let actor = read_table(problems, &entry.key, &entry.node)
            .and_then(|table| check_actor(problems, entry, table, available));
        actors.insert(entry.key.clone(), actor.map(|actor| (actor, entry.key_place)));
    }
    actors
}

fn check_actor(problems: &mut Problems<'_>, entry: &Entry, table: &Table, available: &Available<'_>) -> Option<Actor> {
    let owner = format!("actor `{}`", entry.key);
    let mut fields = Fields::new(owner.clone(), table);
    let analyses = fields.text_list(problems, "analyses");
    let engine = fields.text(problems, "engine");
    let adapter = fields.text(problems, "adapter");
    let order = fields.choice(problems, "order", &ORDERS.map(|(name, _)| name));
    let limit = fields.duration(problems, "limit");
    let max_call_depth = fields.integer(problems, "max-call-depth", 1..=i64::from(u32::MAX));
    let refinement = fields.choice(problems, "refinement", &REFINEMENTS.map(|(name, _)| name));
    let isolation = read_isolation(problems, &mut fields, entry.key_place);
    let option_tables = fields.take_rest();
    let (names, kind) = match (&analyses, engine, adapter) {
        (Some(analyses), None, None) => (&analyses[..], PluginKind::Analysis),
        (None, Some(engine), None) => (&[engine][..], PluginKind::Engine),
        (None, None, Some(adapter)) => (&[adapter][..], PluginKind::Adapter),
        _ => {
            report_what_runs(problems, &fields, entry, table, &option_tables, available);
            return None;
        }
    };
    let place = |key| table.get(key).map_or(entry.key_place, |entry| entry.node.place);
    if names.is_empty() {
        problems.report(place("analyses"), format!("{owner} has no analyses"));
    }
    for key in ["order", "max-call-depth", "refinement"] {
        if kind != PluginKind::Analysis && table.get(key).is_some() {
            problems.report(place(key), format!("`{key}` is for analyses, not for {kind}s"));
        }
    }
    let chosen = choose_plugins(problems, &owner, names, kind, available);
    for entry in &option_tables {
        if !names.iter().any(|(name, _)| *name == entry.key) {
            report_unknown_actor_key(problems, &fields, entry, &chosen, available);
        }
    }
    let mut uses: Vec<_> = chosen.into_iter().map(|plugin| configure(problems, plugin, &option_tables)).collect();
    let mut settings = Settings::default();
    if let Some((_, order)) = ORDERS.iter().find(|(name, _)| order == Some(name)) {
        settings.order = *order;
    }
    if let Some((_, selection)) = REFINEMENTS.iter().find(|(name, _)| refinement == Some(name)) {
        settings.refinement = *selection;
    }
    if let Some(depth) = max_call_depth.and_then(|depth| u32::try_from(depth).ok()) {
        settings.max_call_depth = depth;
    }
    let kind = match kind {
        PluginKind::Engine => ActorKind::Engine(uses.pop()?),
        PluginKind::Adapter => ActorKind::Adapter(uses.pop()?),
        _ => ActorKind::Product { analyses: uses, settings },
    };
    Some(Actor { name: entry.key.clone(), kind, limit, isolation })
}

/// Reports an actor that names nothing to run, or two things; also reports its unknown keys.
fn report_what_runs(
    problems: &mut Problems<'_>,
    fields: &Fields<'_>,
    actor: &Entry,
    table: &Table,
    option_tables: &[&Entry],
    available: &Available<'_>,
) {
    let mut strange = option_tables.iter().filter(|entry| !available.has(&entry.key)).peekable();
    let said: Vec<&Entry> = ["analyses", "engine", "adapter"].iter().filter_map(|key| table.get(key)).collect();
    match said[..] {
        [] if strange.peek().is_none() => {
            let message = format!("actor `{}` has neither `analyses` nor `engine` nor `adapter`", actor.key);
            let help = "say what it runs, for example analyses = [\"location\"]";
            problems.report_with_help(actor.key_place, message, help);
        }
        [first, second, ..] => {
            let message = format!("actor `{}` has both `{}` and `{}`", actor.key, first.key, second.key);
            problems.report_with_help(second.key_place, message, "make two actors of it");
        }
        _ => {}
    }
    strange.for_each(|entry| fields.report_unknown(problems, entry, &[]));
}

/// A key that is neither a property of actors nor a plugin that this actor uses.
fn report_unknown_actor_key(
    problems: &mut Problems<'_>,
    fields: &Fields<'_>,
    entry: &Entry,
    chosen: &[&Descriptor],
    available: &Available<'_>,
) {
    if available.has(&entry.key) {
        let message = format!("options for plugin `{}`, which this actor does not use", entry.key);
        problems.report_with_help(entry.key_place, message, format!("add it: analyses = [\"{}\", …]", entry.key));
    } else {
        let names: Vec<&str> = chosen.iter().map(|plugin| plugin.name.as_str()).collect();
        fields.report_unknown(problems, entry, &names);
    }
}

/// The descriptors of the plugins that `names` names, all of one kind.
pub(super) fn choose_plugins<'p>(
    problems: &mut Problems<'_>,
    owner: &str,
    names: &[(&str, Place)],
    kind: PluginKind,
    available: &Available<'p>,
) -> Vec<&'p Descriptor> {
    let mut chosen: Vec<&Descriptor> = Vec::new();
    for &(name, place) in names {
        match available.plugins.iter().copied().find(|plugin| plugin.name == name) {
            None => report_unknown_plugin(problems, name, place, kind, available),
            Some(plugin) if plugin.kind != kind => {
                let message = format!("plugin `{name}` is of kind {}, but {kind} is wanted here", plugin.kind);
                match plugin.kind {
                    _ if kind == PluginKind::Reducer => {
                        problems.report_with_help(
                            place,
                            message,
                            "`tandem plugins list` shows which reducers there are",
                        );
                    }
                    PluginKind::Engine => {
                        problems.report_with_help(place, message, format!("write engine = \"{name}\""))
                    }
                    PluginKind::Adapter => {
                        problems.report_with_help(place, message, format!("write adapter = \"{name}\""));
                    }
                    PluginKind::Analysis => {
                        problems.report_with_help(place, message, format!("write analyses = [\"{name}\"]"));
                    }
                    PluginKind::Reducer => {
                        let help =
                            format!("a reducer stands before a step: {{ reduce = \"{name}\", then = \"ACTOR\" }}");
                        problems.report_with_help(place, message, help);
                    }
                    _ => problems.report(place, message),
                }
            }
            Some(plugin) if chosen.iter().any(|other| other.name == plugin.name) => {
                problems.report(place, format!("{kind} `{name}` is listed twice in {owner}"));
            }
            Some(plugin) => chosen.push(plugin),
        }
    }
    chosen
}

fn report_unknown_plugin(
    problems: &mut Problems<'_>,
    name: &str,
    place: Place,
    kind: PluginKind,
    available: &Available<'_>,
) {
    let message = format!("there is no plugin `{name}`");
    let fitting: Vec<&str> =
        available.plugins.iter().filter(|plugin| plugin.kind == kind).map(|plugin| plugin.name.as_str()).collect();
    if did_you_mean(name, fitting.iter().copied()).is_some() {
        problems.report_unknown(place, message, name, &fitting);
    } else {
        problems.report_with_help(place, message, available.help_if_missing.clone());
    }
}

/// A plugin's options: what the configuration sets, and the defaults for the rest.
pub(super) fn configure(problems: &mut Problems<'_>, plugin: &Descriptor, option_tables: &[&Entry]) -> PluginUse {
    let mut given = Vec::new();
    for table_entry in option_tables.iter().filter(|entry| entry.key == plugin.name) {
        let Some(table) = read_table(problems, &plugin.name, &table_entry.node) else { continue };
        for entry in &table.entries {
            let key = format!("{}.{}", plugin.name, entry.key);
            match plugin.options.iter().find(|option| option.name == entry.key) {
                Some(option) => {
                    let value = read_option(problems, &key, &entry.node, &option.ty);
                    given.extend(value.map(|value| (entry.key.clone(), value)));
                }
                None => {
                    let known: Vec<&str> = plugin.options.iter().map(|option| option.name.as_str()).collect();
                    let message = format!("plugin `{}` has no option `{}`", plugin.name, entry.key);
                    problems.report_unknown(entry.key_place, message, &entry.key, &known);
                }
            }
        }
    }
    // Every given value was checked just now, so that filling in defaults cannot fail.
    let options = Options::fill(&plugin.options, given).unwrap_or_default();
    PluginUse { plugin: plugin.name.clone(), options }
}

/// Where an actor or a reducer runs, and how much memory it may use there.
pub(super) fn read_isolation(problems: &mut Problems<'_>, fields: &mut Fields<'_>, place: Place) -> Isolation {
    let word = fields.choice(problems, "isolation", &ISOLATIONS);
    let memory = fields.size(problems, "memory");
    if word == Some("process") {
        return Isolation::Process { memory };
    }
    if memory.is_some() {
        let help = "add isolation = \"process\", or limit the whole run with --memory";
        problems.report_with_help(place, "`memory` is for what runs in a process of its own", help);
    }
    Isolation::Thread
}

/// The actors of a configuration, for parts that ask what these can do.
pub struct CheckedActors<'c> {
    actors: &'c Actors,
    available: &'c Available<'c>,
}

impl CheckedActors<'_> {
    /// Whether some plugin in the part gives this.
    pub fn give(&self, part: &dyn Part, what: ArtifactKind) -> bool {
        self.descriptors(part).any(|plugin| plugin.gives.contains(&what))
    }

    /// Whether some plugin in the part needs this.
    pub fn need(&self, part: &dyn Part, what: ArtifactKind) -> bool {
        self.descriptors(part).any(|plugin| plugin.needs.contains(&what))
    }

    fn descriptors(&self, part: &dyn Part) -> impl Iterator<Item = &Descriptor> {
        let actors = part.actors().into_iter().filter_map(|name| self.actors.get(name)?.as_ref());
        let names: Vec<&str> =
            actors.flat_map(|(actor, _)| actor.plugins()).map(|wanted| wanted.plugin.as_str()).collect();
        self.available.plugins.iter().copied().filter(move |known| names.contains(&known.name.as_str()))
    }
}

/// Checks that everything a plugin needs comes from an actor that runs before it, or beside it.
struct Needs<'c, 's, 'p> {
    problems: &'c mut Problems<'s>,
    actors: &'c Actors,
    available: &'c Available<'p>,
}

impl<'p> Needs<'_, '_, 'p> {
    /// `given` is what there is before the part runs, and then what there is after it.
    fn check(&mut self, part: &dyn Part, given: &mut Vec<ArtifactKind>) {
        let steps = part.steps();
        if steps.is_empty() {
            part.actors().into_iter().for_each(|name| self.check_actor(name, given));
            return;
        }
        let before = given.clone();
        for (at, step) in steps.iter().enumerate() {
            match part.order() {
                StepOrder::OneAfterTheOther => self.check(&*step.part, given),
                StepOrder::AtOnce => {
                    let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
                    let beside = others.flat_map(|(_, other)| self.gifts(&*other.part));
                    let mut given_here = before.iter().copied().chain(beside).collect();
                    self.check(&*step.part, &mut given_here);
                    given.extend(self.gifts(&*step.part));
                }
            }
        }
    }

    fn check_actor(&mut self, name: &str, given: &mut Vec<ArtifactKind>) {
        let Some(Some((actor, place))) = self.actors.get(name) else { return };
        let plugins = self.descriptors(actor);
        for plugin in &plugins {
            for need in plugin.needs.iter().filter(|need| !given.contains(need)) {
                let need = format!("{need:?}").to_lowercase();
                let message = format!(
                    "{} `{}` needs {need} as input, and nothing that runs before it gives it",
                    plugin.kind, plugin.name
                );
                self.problems.report(*place, message);
            }
        }
        given.extend(plugins.iter().flat_map(|plugin| plugin.gives.iter().copied()));
    }

    /// The kinds of artifacts that all actors of a part give.
    fn gifts(&self, part: &dyn Part) -> Vec<ArtifactKind> {
        let actors = part.actors().into_iter().filter_map(|name| self.actors.get(name)?.as_ref());
        actors.flat_map(|(actor, _)| self.descriptors(actor)).flat_map(|plugin| plugin.gives.clone()).collect()
    }

    fn descriptors(&self, actor: &Actor) -> Vec<&'p Descriptor> {
        let descriptor =
            |wanted: &PluginUse| self.available.plugins.iter().copied().find(|known| known.name == wanted.plugin);
        actor.plugins().into_iter().filter_map(descriptor).collect()
    }
}
