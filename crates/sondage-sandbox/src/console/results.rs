//! The answers of a survey as bars: how often each was given, alone or by another question.

use super::listing::grouped;
use super::program::{self, Snippet};
use super::surveys::tabs;
use super::{ConsolePage, ConsoleVisit};
use crate::api;
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::server::Reply;
use crate::world::survey::VariableRole;
use crate::world::{Survey, SurveyVariable};
use http::StatusCode;
use maud::{Markup, html};
use serde_json::json;
use sondage::arguments::{CrosstabOptions, FrequenciesOptions};
use sondage_data::{
    CodePlan, CountedQuestion, Grid, GridRow, PageDecoder, PayloadLayout, Picture, Table, TableBuilder,
};

/// Questions of a page.
const SIZE: usize = 12;

/// What is counted together: a column, or the choices of a question that may be ticked several times.
struct Counted {
    /// The column, or the code of the question.
    name: String,
    text: String,
    columns: Vec<String>,
    has_choices: bool,
    is_number: bool,
}

/// Everything that can be counted, in the order of the questionnaire: what a program finds in the code plan.
fn counted(survey: &Survey, profile: &Profile) -> Vec<Counted> {
    let plan = serde_json::Value::from(api::code_plan(survey, profile)).to_string();
    let plan = CodePlan::from_json(&plan).map(|(plan, _)| plan.plain()).unwrap_or_default();
    let answer = |column: &str| {
        let is_answer =
            |variable: &&SurveyVariable| variable.code == column && variable.role == VariableRole::Answer;
        survey.variables.iter().find(is_answer)
    };
    let counted = |question: CountedQuestion| {
        let variable = answer(question.columns.first()?)?;
        Some(Counted {
            text: question.title.unwrap_or_else(|| question.name.clone()),
            name: question.name,
            columns: question.columns,
            has_choices: question.has_several || !variable.values.is_empty(),
            is_number: !question.has_several
                && variable.values.is_empty()
                && matches!(variable.data_type, "Number" | "Real"),
        })
    };
    plan.questions().into_iter().filter_map(counted).collect()
}

/// What a visitor wants to see.
struct Wanted<'a> {
    survey: i64,
    question: &'a str,
    by: Option<&'a str>,
    weight: Option<&'a str>,
    filter: &'a str,
    is_file: bool,
}

impl<'a> Wanted<'a> {
    fn of(visit: &'a ConsoleVisit<'_>, survey: i64) -> Self {
        let query = &visit.query;
        Self {
            survey,
            question: query.get("question").unwrap_or_default(),
            by: query.get("by"),
            weight: query.get("weight"),
            filter: query.get("where").unwrap_or_default(),
            is_file: query.get("csv") == Some("results"),
        }
    }

    /// The interviews with these columns, as a program gets them.
    fn table(&self, visit: &ConsoleVisit<'_>, all: &[Counted], of: &[&Counted]) -> Result<Table, Refusal> {
        let also = [self.by, self.weight].into_iter().flatten();
        let also = also.filter_map(|name| all.iter().find(|counted| counted.name == name));
        let mut fields: Vec<&str> = Vec::new();
        for column in of.iter().copied().chain(also).flat_map(|counted| &counted.columns) {
            if !fields.contains(&column.as_str()) {
                fields.push(column);
            }
        }
        let conditions = api::interview_conditions(self.filter)?;
        let request = json!({
            "surveyId": self.survey, "fieldsToDownload": fields, "conditions": conditions, "loadCodePlan": true,
        });
        let body = visit.run("ReadInterviewListCompact", &request)?;
        let read = || {
            let mut decoder = PageDecoder::new(PayloadLayout::Compact);
            decoder.feed(&body)?;
            let builder = TableBuilder::new(PayloadLayout::Compact).fields(fields.iter().copied());
            let mut builder = builder.not_available(visit.shared.profile().not_available);
            builder.append(decoder.finish()?)?;
            builder.finish()
        };
        read().map_err(|error| Refusal::invalid(format!("The interviews cannot be counted: {error}.")))
    }

    /// How often each answer was given; by another question, if there is one and this has choices.
    fn count(&self, table: &Table, counted: &Counted) -> Result<Box<dyn Picture>, Refusal> {
        let weight = self.weight.map(str::to_owned);
        let found: sondage::Result<Box<dyn Picture>> = match self.by {
            Some(by) if counted.has_choices && by != counted.name => {
                let mut options = CrosstabOptions::new(&counted.name, by);
                options.weight = weight;
                // A page has room for one number in a cell; a file is counted with.
                let measures: &[&str] = if self.is_file { &["n", "col%"] } else { &["col%"] };
                options.show = Some(measures.iter().map(|&measure| measure.to_owned()).collect());
                table.crosstab(&options).map(|found| Box::new(found) as Box<dyn Picture>)
            }
            _ => {
                let mut options = FrequenciesOptions::new(&counted.name);
                options.weight = weight;
                table.frequencies(&options).map(|found| Box::new(found) as Box<dyn Picture>)
            }
        };
        found.map_err(|error| Refusal::invalid(format!("{}.", error.what())))
    }

    /// What the numbers of each group are, if they are wanted by a question.
    fn groups(&self, table: &Table, counted: &Counted) -> Result<Option<Grid>, Refusal> {
        let Some(by) = self.by.filter(|by| counted.is_number && *by != counted.name) else { return Ok(None) };
        let mut options = CrosstabOptions::new(&counted.name, by);
        options.weight = self.weight.map(str::to_owned);
        let groups = table.number_groups(&options);
        let grid = groups.map(|groups| groups.map(|groups| groups.to_grid()));
        grid.map_err(|error| Refusal::invalid(format!("{}.", error.what())))
    }

    fn is_crosstab(&self, counted: &Counted) -> bool {
        counted.has_choices && self.by.is_some_and(|by| by != counted.name)
    }
}

pub(super) fn show(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    let profile = visit.shared.profile();
    let (name, all, head) = visit.read(|tenant| {
        let survey = tenant.survey(id)?;
        Ok((survey.name.clone(), counted(survey, &profile), tabs(visit, survey, "results")))
    })?;
    let wanted = Wanted::of(visit, id);
    let chosen: Vec<&Counted> = match wanted.question {
        "" => all.iter().collect(),
        question => all.iter().filter(|counted| counted.name == question).collect(),
    };
    if chosen.is_empty() && !wanted.question.is_empty() {
        return Err(Refusal::not_found("FieldNotFound", "question", wanted.question));
    }
    let last = chosen.len().div_ceil(SIZE).max(1);
    let page = visit.query.number("page").unwrap_or(1).clamp(1, last);
    let shown: Vec<&Counted> = chosen.iter().skip((page - 1) * SIZE).take(SIZE).copied().collect();
    let found = wanted.table(visit, &all, &shown).and_then(|table| {
        let count = |counted: &&Counted| {
            Ok(Found {
                picture: wanted.count(&table, counted)?,
                is_crosstab: wanted.is_crosstab(counted),
                groups: wanted.groups(&table, counted)?,
            })
        };
        let pictures: Vec<_> = shown.iter().map(count).collect::<Result<_, Refusal>>()?;
        Ok((table.num_rows(), pictures))
    });
    let refusal = found.as_ref().err().cloned();
    let body = match found {
        Ok((rows, pictures)) => {
            offer(visit, &pictures);
            html! {
                p.hint { (grouped(rows)) " interviews" @if !wanted.filter.is_empty() { " match the filter" } "." }
                @if chosen.is_empty() { p { "The survey has no questions." } }
                @for (counted, found) in shown.iter().zip(&pictures) { (section(visit, &wanted, counted, found)) }
                (leaves(visit, page, last))
                (program::same(&snippets(&wanted, &all, shown.first().copied())))
            }
        }
        Err(refusal) => html! { p role="alert" { (refusal.message) } },
    };
    let body = html! { (head) (form(visit, &wanted, &all)) (body) };
    Ok(ConsolePage::new(format!("Results: {name}"), "surveys", body).refused(refusal.as_ref()))
}

/// What is shown of one question.
struct Found {
    picture: Box<dyn Picture>,
    is_crosstab: bool,
    groups: Option<Grid>,
}

/// One question.
fn section(visit: &ConsoleVisit<'_>, wanted: &Wanted<'_>, counted: &Counted, found: &Found) -> Markup {
    let Found { picture, is_crosstab, groups } = found;
    let query = visit.query.link(&[("question", &counted.name), ("page", ""), ("csv", "")]);
    let by = visit.query.link(&[("by", &counted.name), ("question", ""), ("page", "")]);
    html! {
        section.result aria-label=(counted.name) {
            h2 dir="auto" { (counted.text) " " code { (counted.name) } }
            @if *is_crosstab {
                div.scroll role="region" aria-label={ "Picture: " (counted.name) } tabindex="0" { img.chart src={ (visit.path(format_args!("surveys/{}/results.svg", wanted.survey))) (query) } alt=(picture.description()); }
            }
            @if let Some(groups) = groups {
                (grid(&format!("{} by group", counted.name), groups))
                p.hint { "Bars are as long as the means. All interviews together:" }
            } @else if let Some(by) = wanted.by.filter(|by| !is_crosstab && *by != counted.name) {
                p.hint { "Not by " code { (by) } ": open answers are only counted. These are all interviews." }
            }
            (grid(&counted.name, &picture.to_grid()))
            p.links {
                @if wanted.question.is_empty() { a href=(query) { "Only this question" } }
                @if counted.has_choices && wanted.by != Some(&counted.name) { a href=(by) { "All others by this" } }
                a href={ (visit.path(format_args!("surveys/{}/results.svg", wanted.survey))) (query) } { "Picture (SVG)" }
            }
        }
    }
}

/// Cells with bars.
pub(super) fn grid(name: &str, grid: &Grid) -> Markup {
    let has_bars = grid.rows.iter().any(|row| row.bar.is_some());
    html! {
        div.scroll role="region" aria-label=(grid.title) tabindex="0" {
            table.bars {
                caption.unseen { (name) }
                thead {
                    tr {
                        @for (at, column) in grid.columns.iter().enumerate() {
                            th scope="col" class=[column.is_number.then_some("number")] dir="auto" {
                                @if at == 0 && column.name.is_empty() { span.unseen { "Answer" } } @else { (column.name) }
                            }
                            @if at == 0 && has_bars { td {} }
                        }
                    }
                }
                tbody { @for row in &grid.rows { (line(grid, row, has_bars)) } }
            }
        }
        @for note in &grid.notes { p.hint { (note) } }
    }
}

fn line(grid: &Grid, row: &GridRow, has_bars: bool) -> Markup {
    html! {
        tr class=[row.is_aside.then_some("aside")] {
            @for (at, (cell, column)) in row.cells.iter().zip(&grid.columns).enumerate() {
                @if at == 0 {
                    th scope="row" dir="auto" { (cell) }
                    @if has_bars { td.gauge { @if let Some(share) = row.bar { (bar(share)) } } }
                } @else {
                    td class=[column.is_number.then_some("number")] { (cell) }
                }
            }
        }
    }
}

/// A bar of a share from 0 to 1. What it says is beside it as a number.
pub(super) fn bar(share: f64) -> Markup {
    let width = format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0);
    html! { svg width="100%" height="14" aria-hidden="true" { rect width=(width) height="14" rx="2" {} } }
}

fn form(visit: &ConsoleVisit<'_>, wanted: &Wanted<'_>, all: &[Counted]) -> Markup {
    let title = |counted: &Counted| {
        let text: String = counted.text.chars().take(60).collect();
        if text == counted.name { text } else { format!("{}: {text}", counted.name) }
    };
    let select = |id: &str, label: &str, none: &str, now: &str, fits: &dyn Fn(&Counted) -> bool| {
        html! {
            div {
                label for=(id) { (label) }
                select id=(id) name=(id) {
                    option value="" { (none) }
                    @for counted in all.iter().filter(|counted| fits(counted)) {
                        option value=(counted.name) selected[counted.name == now] { (title(counted)) }
                    }
                }
            }
        }
    };
    html! {
        form.row.choose method="get" aria-label="What is counted" {
            (select("question", "Question", "All", wanted.question, &|_| true))
            (select("by", "By", "Nothing", wanted.by.unwrap_or_default(), &|counted| counted.has_choices))
            (select("weight", "Weight", "None", wanted.weight.unwrap_or_default(), &|counted| counted.is_number))
            div {
                label for="where" { "Where" }
                input id="where" name="where" value=(wanted.filter) placeholder="State=Completed and age>=18";
            }
            div.go { button { "Show" } a.download href=(visit.query.link(&[("csv", "results")])) { "CSV" } }
        }
    }
}

fn leaves(visit: &ConsoleVisit<'_>, page: usize, last: usize) -> Markup {
    let link = |to: usize| visit.query.link(&[("page", &to.to_string())]);
    html! {
        @if last > 1 {
            nav.leaves aria-label="Pages" {
                @if page > 1 { a href=(link(page - 1)) rel="prev" { "Previous page" } }
                span { "Page " (page) " of " (last) }
                @if page < last { a href=(link(page + 1)) rel="next" { "Next page" } }
            }
        }
    }
}

/// The numbers of the page as a file.
fn offer(visit: &ConsoleVisit<'_>, found: &[Found]) {
    if visit.query.get("csv") != Some("results") {
        return;
    }
    let grids =
        found.iter().flat_map(|found| found.groups.clone().into_iter().chain([found.picture.to_grid()]));
    let rows = grids.flat_map(|grid| {
        let header =
            std::iter::once(grid.title.clone()).chain(grid.columns.into_iter().map(|column| column.name));
        let rows = grid.rows.into_iter().map(|row| std::iter::once(String::new()).chain(row.cells).collect());
        std::iter::once(header.collect()).chain(rows).collect::<Vec<Vec<String>>>()
    });
    visit.offer("results", rows);
}

/// The picture of one question.
pub(super) fn svg(visit: &ConsoleVisit<'_>, id: i64) -> Result<Reply, Refusal> {
    let profile = visit.shared.profile();
    let all = visit.read(|tenant| Ok(counted(tenant.survey(id)?, &profile)))?;
    let wanted = Wanted::of(visit, id);
    let counted = all.iter().find(|counted| counted.name == wanted.question);
    let counted = counted.ok_or_else(|| Refusal::not_found("FieldNotFound", "question", wanted.question))?;
    let table = wanted.table(visit, &all, &[counted])?;
    let picture = wanted.count(&table, counted)?;
    let mut reply = Reply::new(StatusCode::OK, "image/svg+xml", picture.to_svg());
    reply.set("cache-control", "no-store");
    // Its colours are in a style of its own, and it has nothing else.
    reply.set("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    reply.set("x-content-type-options", "nosniff");
    Ok(reply)
}

fn snippets(wanted: &Wanted<'_>, all: &[Counted], first: Option<&Counted>) -> Vec<Snippet> {
    let Some(first) = first else { return Vec::new() };
    let (survey, name) = (wanted.survey, &first.name);
    let text = |text: &str| serde_json::Value::from(text).to_string();
    if let Some(by) = wanted.by.filter(|by| first.is_number && *by != first.name) {
        let is_one_column = all.iter().any(|counted| counted.columns == [by]);
        if !is_one_column || !wanted.filter.is_empty() || wanted.weight.is_some() {
            return Vec::new();
        }
        let (name, by) = (text(name), text(by));
        let table = format!("table = client.interviews({survey}, fields=[{name}, {by}]).table()");
        let groups = format!("groupby({by}, observed=True)[{name}].describe()");
        return vec![Snippet::new("Python", format!("{table}\ntable.with_labels().to_pandas().{groups}"))];
    }
    let options: Vec<(&str, &str)> = [("by", wanted.by), ("weight", wanted.weight)]
        .into_iter()
        .filter_map(|(option, column)| Some((option, column?)))
        .collect();
    let joined = |shown: &dyn Fn(&str, &str) -> String| {
        options.iter().map(|(option, column)| shown(option, column)).collect::<Vec<_>>().concat()
    };
    let narrowed = if wanted.filter.is_empty() {
        String::new()
    } else {
        format!(" --where {}", program::quoted(wanted.filter))
    };
    let named = joined(&|option, column| format!(" --{option} {column}"));
    let command = format!("sondage results {survey} {name}{named}{narrowed}");
    // A filter is an expression there, not a text.
    if !wanted.filter.is_empty() {
        return vec![Snippet::new("Command", command)];
    }
    let verb = if wanted.by.is_some() { "crosstab" } else { "frequencies" };
    let python = joined(&|option, column| format!(", {option}={}", text(column)));
    let node = joined(&|option, column| format!(", {option}: {}", text(column)));
    let node = node.trim_start_matches(", ");
    let node = if node.is_empty() { String::new() } else { format!(", {{ {node} }}") };
    let name = text(name);
    vec![
        Snippet::new("Command", command),
        Snippet::new("Python", format!("client.interviews({survey}).{verb}({name}{python})")),
        Snippet::new("Node.js", format!("await client.interviews({survey}).{verb}({name}{node})")),
    ]
}
