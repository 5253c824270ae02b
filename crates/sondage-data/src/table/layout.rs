//! The columns of a table, their order and their names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::decode::names::{ColumnNames, ValueLocation};
use crate::error::Warning;
use crate::meaning::{CodePlan, Variable, Wanted, service};

/// The origin of a column; in Arrow field metadata as `sondage.origin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A system column of the service, such as `State` or `created_at`.
    Service,
    /// An answer to a question of the code plan.
    Question,
    /// A field of a member.
    Field,
    /// In the data, but not in the code plan.
    Other,
}

impl Origin {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Origin::Service => "service",
            Origin::Question => "question",
            Origin::Field => "field",
            Origin::Other => "other",
        }
    }
}

/// The prefix of the answer to a question that has the name of a column of the service.
const ANSWERS: &str = "answers.";

/// A column to be created.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) name: String,
    /// Its number in the data; a column that is only in the plan has none and is all null.
    pub(crate) number: Option<usize>,
    pub(crate) origin: Origin,
    pub(crate) variable: Option<Arc<Variable>>,
    pub(crate) wanted: Option<Wanted>,
}

impl Planned {
    /// The interviews of members, as JSON.
    pub(crate) fn is_interviews(&self) -> bool {
        self.origin == Origin::Service && self.name == service::INTERVIEWS
    }

    /// The name on the wire.
    pub(crate) fn wire_name(&self) -> &str {
        self.name.strip_prefix(ANSWERS).unwrap_or(&self.name)
    }

    /// The warning for a field of members with several types.
    pub(crate) fn varies(&self, names: &ColumnNames) -> Option<Warning> {
        let name = self.number.and_then(|number| names.list().get(number))?;
        let varies = name.place == ValueLocation::Field && name.field_type_varies && self.variable.is_none();
        varies
            .then(|| Warning::new(&self.name, "comes with several field types; the data determine its type"))
    }
}

/// The caller's selection and the known metadata.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    pub(crate) plan: Option<CodePlan>,
    /// The requested columns, in this order; `None` if all were requested.
    pub(crate) fields: Option<Vec<String>>,
    /// The rows come from a query, so the table has the service's columns even if no row has them.
    pub(crate) complete: bool,
    /// The fields of the panel and their types. Known for a list without members, whose fields would tell them.
    pub(crate) panel: Vec<(String, Option<Wanted>)>,
    /// Members come with their interviews.
    pub(crate) interviews: bool,
}

impl Knowledge {
    fn variable(&self, name: &str) -> Option<Arc<Variable>> {
        self.plan.as_ref().and_then(|plan| plan.shared(name)).cloned()
    }

    /// Variables without data that are in the table nevertheless, so that its columns do not depend on the answers.
    fn unanswered(&self, names: &ColumnNames, place: ValueLocation) -> Vec<Arc<Variable>> {
        let is_requested = |variable: &Variable| {
            // If the code belongs to a column itself, it does not stand for the other columns of its question.
            let question = variable.question_code.as_ref().filter(|code| self.place(code).is_none());
            let matches = |field: &String| *field == variable.code || question == Some(field);
            self.fields.as_ref().is_none_or(|fields| fields.iter().any(matches))
        };
        let plan = self.plan.iter().flat_map(CodePlan::shared_variables);
        let is_present = |code: &str| {
            names.find(place, code).is_some() || names.find(ValueLocation::Field, code).is_some()
        };
        plan.filter(|variable| is_requested(variable) && !is_present(&variable.code)).cloned().collect()
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.plan.as_ref().and_then(|plan| plan.place(name))
    }

    /// The place of a column among the requested ones. The service may spell its own columns in another case.
    fn request(&self, name: &str) -> Option<usize> {
        let fields = self.fields.as_ref()?;
        let variable = self.plan.as_ref().and_then(|plan| plan.get(name));
        let question = variable.and_then(|variable| variable.question_code.as_ref());
        let same = fields.iter().position(|field| field == name);
        same.or_else(|| fields.iter().position(|field| field.eq_ignore_ascii_case(name)))
            .or_else(|| fields.iter().position(|field| Some(field) == question))
    }

    /// The position of a column: the requested ones in their order, then all others.
    fn rank(&self, name: &str, unasked: (usize, usize)) -> (usize, usize) {
        self.request(name).map_or((unasked.0 + 1, unasked.1), |place| (0, place))
    }

    /// The service's columns of interviews that belong in the table even if no row has them.
    fn missing(&self, columns: &[((usize, usize), Planned)]) -> Vec<String> {
        if !self.complete {
            return Vec::new();
        }
        let requested: Vec<String> = match &self.fields {
            Some(fields) => {
                fields.iter().filter(|field| service::of_interview(field).is_some()).cloned().collect()
            }
            // If there are rows, they show which columns the service has.
            None if !columns.iter().any(|(_, column)| column.number.is_some()) => {
                service::columns_of_interviews().map(str::to_owned).collect()
            }
            None => Vec::new(),
        };
        let is_present =
            |name: &String| columns.iter().any(|(_, column)| column.name.eq_ignore_ascii_case(name));
        requested.into_iter().filter(|name| !is_present(name)).collect()
    }

    /// The same for members: the service's values, and the requested fields, or those of the panel.
    fn missing_of_members(&self, columns: &[((usize, usize), Planned)]) -> Vec<((usize, usize), Planned)> {
        if !self.complete {
            return Vec::new();
        }
        let has = |name: &str| columns.iter().any(|(_, column)| column.name.eq_ignore_ascii_case(name));
        let own = service::MEMBER.iter().enumerate();
        let own = own
            .filter(|(_, (wire, name, _))| !has(name) && (*wire != service::INTERVIEWS || self.interviews));
        let own = own.map(|(number, (wire, ..))| member_own(number, wire));
        let own = own.map(|(rank, planned)| (rank, Planned { number: None, ..planned }));
        let declared = |field: &String| self.panel.iter().find(|(name, _)| name == field);
        let service = |field: &String| service::MEMBER.iter().any(|(wire, ..)| wire == field);
        let mut names = HashSet::new();
        let requested: Vec<&String> = match &self.fields {
            Some(fields) => {
                fields.iter().filter(|field| declared(field).is_some() || !service(field)).collect()
            }
            None => self.panel.iter().map(|(name, _)| name).collect(),
        };
        let requested =
            requested.into_iter().enumerate().filter(|(_, field)| !has(field) && names.insert(*field));
        let requested = requested.map(|(place, field)| {
            let name = field.clone();
            let declared = declared(field).and_then(|(_, wanted)| *wanted);
            let declared_type = Some(service::type_without_values(declared));
            (
                (1, place),
                Planned { name, number: None, origin: Origin::Field, variable: None, wanted: declared_type },
            )
        });
        own.chain(requested).collect()
    }
}

/// A question with the name of a column of the service, of which the responses have one value only.
pub(crate) fn ambiguous(columns: &[Planned]) -> impl Iterator<Item = Warning> {
    let doubtful = columns.iter().filter(|column| {
        column.origin == Origin::Question && column.number.is_some() && service::shares_its_name(&column.name)
    });
    doubtful.map(|column| {
        let detail = "the survey has a question with the name of this column of the service, and the responses have only one of \
                      the two: which one is not known";
        Warning::new(&column.name, detail)
    })
}

/// Columns that databases, which do not mind case, take for one.
pub(crate) fn alike(columns: &[Planned]) -> Option<Warning> {
    let mut known: HashMap<String, &str> = HashMap::new();
    let pairs: Vec<String> = columns
        .iter()
        .filter_map(|column| {
            let other = known.insert(column.name.to_lowercase(), &column.name)?;
            Some(format!("{other} and {}", column.name))
        })
        .collect();
    (!pairs.is_empty()).then(|| {
        Warning::general(format!(
            "names that differ in case only: {}. DuckDB and other databases take them for one column, the first: select or rename one of \
             them before",
            pairs.join(", ")
        ))
    })
}

/// Interviews: the requested columns in the order of the request; else the service's system columns, the questionnaire's
/// in its order, then those that are only in the data.
pub(crate) fn of_interviews(names: &ColumnNames, known: &Knowledge) -> Vec<Planned> {
    let mut columns: Vec<((usize, usize), Planned)> = Vec::new();
    for (number, column) in names.list().iter().enumerate() {
        let name = column.name.to_string();
        let service = service::of_interview(&name);
        let answer = column.place == ValueLocation::Field;
        // Beside its answer, the column is the service's own.
        let own = !answer && service.is_some() && names.find(ValueLocation::Field, &name).is_some();
        let variable = known.variable(&name).filter(|_| !own);
        let service = service.filter(|_| !answer);
        let (rank, origin) = match (known.place(&name).filter(|_| !own), &service) {
            (Some(place), _) => ((1, place), Origin::Question),
            (None, _) if answer => ((2, number), Origin::Question),
            (None, Some((place, _))) => ((0, *place), Origin::Service),
            (None, None) => ((2, number), Origin::Other),
        };
        let promised = variable.as_deref().and_then(Variable::wanted);
        let column_type = promised.or(service.and_then(|(_, wanted)| wanted));
        let rank = known.rank(&name, rank);
        let name = if answer { format!("{ANSWERS}{name}") } else { name };
        columns.push((rank, Planned { name, number: Some(number), origin, variable, wanted: column_type }));
    }
    for variable in known.unanswered(names, ValueLocation::Own) {
        let rank = known.rank(&variable.code, (1, known.place(&variable.code).unwrap_or(usize::MAX)));
        let is_shadowed = known.complete && service::shares_its_name(&variable.code);
        let (name, wanted) = (variable.code.clone(), variable.wanted());
        let name = if is_shadowed { format!("{ANSWERS}{name}") } else { name };
        columns.push((
            rank,
            Planned { name, number: None, origin: Origin::Question, variable: Some(variable), wanted },
        ));
    }
    for name in known.missing(&columns) {
        let (place, promised) = service::of_interview(&name).unwrap_or_default();
        let declared_type = Some(service::type_without_values(promised));
        let rank = known.rank(&name, (0, place));
        columns.push((
            rank,
            Planned { name, number: None, origin: Origin::Service, variable: None, wanted: declared_type },
        ));
    }
    // Beside each other, the service's column stands first.
    columns.sort_by_key(|(rank, column)| (*rank, column.name.starts_with(ANSWERS)));
    columns.into_iter().map(|(_, column)| column).collect()
}

/// Members: the id, one column for each field in the order of the request or of the panel definition, then the service's
/// values of the member. If a field has the name of another column, it is called `fields.NAME`.
pub(crate) fn of_members(names: &ColumnNames, known: &Knowledge) -> Vec<Planned> {
    let mut columns: Vec<((usize, usize), Planned)> = Vec::new();
    for (number, column) in names.list().iter().enumerate() {
        let name = column.name.to_string();
        let (rank, planned) = match column.place {
            ValueLocation::Own => member_own(number, &name),
            ValueLocation::Field => {
                let variable = known.variable(&name);
                let location = known.request(&name).or_else(|| known.place(&name));
                let rank = (1, location.unwrap_or(usize::MAX / 2 + number));
                let promised = variable.as_deref().and_then(Variable::wanted);
                let own =
                    column.field_type.as_deref().filter(|_| !column.field_type_varies).and_then(Wanted::of);
                let column_type = promised.or(own);
                (
                    rank,
                    Planned {
                        name,
                        number: Some(number),
                        origin: Origin::Field,
                        variable,
                        wanted: column_type,
                    },
                )
            }
        };
        columns.push((rank, planned));
    }
    for variable in known.unanswered(names, ValueLocation::Field) {
        let location = known.request(&variable.code).or_else(|| known.place(&variable.code));
        let (name, wanted) = (variable.code.clone(), variable.wanted());
        columns.push((
            (1, location.unwrap_or(usize::MAX)),
            Planned { name, number: None, origin: Origin::Field, variable: Some(variable), wanted },
        ));
    }
    columns.extend(known.missing_of_members(&columns));
    columns.sort_by_key(|(rank, _)| *rank);
    let mut planned: Vec<Planned> = columns.into_iter().map(|(_, column)| column).collect();
    let mut used_names: HashSet<String> = planned
        .iter()
        .filter(|column| column.origin != Origin::Field)
        .map(|column| column.name.clone())
        .collect();
    for column in planned.iter_mut().filter(|column| column.origin == Origin::Field) {
        while !used_names.insert(column.name.clone()) {
            column.name.insert_str(0, "fields.");
        }
    }
    planned
}

fn member_own(number: usize, name: &str) -> ((usize, usize), Planned) {
    let position = service::MEMBER.iter().position(|(wire, ..)| *wire == name);
    let (rank, origin, name, wanted) = match position {
        Some(0) => ((0, 0), Origin::Service, "id", service::MEMBER[0].2),
        Some(place) => ((2, place), Origin::Service, service::MEMBER[place].1, service::MEMBER[place].2),
        None => ((3, number), Origin::Other, name, None),
    };
    (rank, Planned { name: name.to_owned(), number: Some(number), origin, variable: None, wanted })
}
