//! Labels instead of codes, created on request.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, ListArray, StringArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

use super::{BaseColumn, metadata};
use crate::column::cell::{Cell, float_text};
use crate::error::Warning;
use crate::meaning::Variable;

/// The content of columns of questions with value labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub enum Labels {
    /// The codes, typed: column `Q1`.
    #[default]
    Codes,
    /// The labels, as an Arrow dictionary of all choices that were offered, in the questionnaire's order: column `Q1`.
    Labels,
    /// Codes in `Q1`, labels in `Q1_label`.
    Both,
}

impl Labels {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Codes => "codes",
            Self::Labels => "labels",
            Self::Both => "both",
        }
    }

    /// `codes`, `labels` or `both`.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "codes" => Self::Codes,
            "labels" => Self::Labels,
            "both" => Self::Both,
            _ => return None,
        })
    }
}

/// A column of labels.
pub(super) struct Labelled {
    pub(super) field: FieldRef,
    pub(super) arrays: Vec<ArrayRef>,
    pub(super) warnings: Vec<Warning>,
}

/// The labels of a column, or `None` when its variable has none.
///
/// The dictionary is the same for every batch: the choices in the questionnaire's order, then the answers that are not in
/// the code plan. Its entries are unique, as pandas and polars require.
pub(super) fn labelled(column: &BaseColumn) -> Option<Result<Labelled, ArrowError>> {
    let variable = column.variable.as_deref().filter(|variable| !variable.values.is_empty())?;
    if column.nested {
        let (field, arrays) = (Arc::clone(&column.field), column.arrays.clone());
        return Some(Ok(Labelled { field, arrays, warnings: vec![not_labelled(column.field.name())] }));
    }
    let mut legend = Legend::new(variable);
    if let DataType::List(_) = column.field.data_type() {
        return Some(in_lists(column, legend));
    }
    for array in &column.arrays {
        legend.meet(array);
    }
    let (field, warnings) = legend.close(&column.field);
    let arrays = column.arrays.iter().map(|array| legend.labels(array)).collect::<Result<_, _>>();
    Some(arrays.map(|arrays| Labelled { field, arrays, warnings }))
}

/// The same for lists of codes. They stay lists of texts: not every library reads dictionaries inside lists.
fn in_lists(column: &BaseColumn, mut legend: Legend) -> Result<Labelled, ArrowError> {
    let (_, warnings) = legend.close(&column.field);
    let labels = |array: &ArrayRef| {
        let codes = array.as_list::<i32>();
        let labels = legend.texts(codes.values());
        let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
        let lists = ListArray::try_new(item, codes.offsets().clone(), labels, codes.nulls().cloned())?;
        Ok(Arc::new(lists) as ArrayRef)
    };
    let arrays = column.arrays.iter().map(labels).collect::<Result<_, ArrowError>>()?;
    Ok(Labelled { field: Arc::clone(&column.field), arrays, warnings })
}

/// A warning about a column whose values are not codes.
pub(super) fn not_labelled(name: &str) -> Warning {
    Warning::new(name, "holds lists or objects; its labels are in the codebook only")
}

/// The labels of a variable's values, in their order. A label that several values share has the code behind it.
pub(super) fn offered(variable: &Variable) -> Vec<String> {
    Categories::of(variable).labels
}

/// Makes the labels of a column in two passes over its arrays: first all of them are passed to [`Legend::meet`], then
/// each is converted.
#[derive(Debug)]
pub(super) struct Legend {
    categories: Categories,
    unknown: HashSet<String>,
    dictionary: ArrayRef,
}

impl Legend {
    pub(super) fn new(variable: &Variable) -> Self {
        let dictionary = Arc::new(StringArray::from(Vec::<&str>::new()));
        Legend { categories: Categories::of(variable), unknown: HashSet::new(), dictionary }
    }

    /// Collects the answers that are not in the code plan.
    pub(super) fn meet(&mut self, array: &ArrayRef) {
        let array = array.as_ref();
        let answers = (0..array.len()).filter_map(|row| answer(array, row));
        self.unknown.extend(answers.filter(|answer| self.categories.find(answer).is_none()));
    }

    /// All arrays have been seen: returns the field of the labels, and the warnings.
    pub(super) fn close(&mut self, codes: &Field) -> (FieldRef, Vec<Warning>) {
        let mut warnings = std::mem::take(&mut self.categories.warnings);
        let unknown = self.categories.extend(std::mem::take(&mut self.unknown));
        if !unknown.is_empty() {
            warnings.push(Warning::new(codes.name(), unknown_codes(&unknown)));
        }
        self.dictionary = Arc::new(StringArray::from(self.categories.labels.clone()));
        let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        (Arc::new(codes.clone().with_data_type(data_type).with_dict_is_ordered(true)), warnings)
    }

    /// The labels of an array of codes.
    pub(super) fn labels(&self, array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        let keys = (0..array.len()).map(|row| self.categories.find(&answer(array.as_ref(), row)?));
        let keys = keys.collect::<Int32Array>();
        Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(&self.dictionary))?))
    }

    /// The labels of an array of codes as plain texts.
    fn texts(&self, array: &ArrayRef) -> ArrayRef {
        let label = |row| {
            let place = self.categories.find(&answer(array.as_ref(), row)?)?;
            self.categories.labels.get(usize::try_from(place).ok()?)
        };
        Arc::new((0..array.len()).map(label).collect::<StringArray>())
    }
}

/// The field of a column of labels next to its codes.
pub(super) fn beside(labels: &Field, taken: &mut HashSet<String>) -> FieldRef {
    let mut name = format!("{}_label", labels.name());
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    let mut field = labels.clone().with_name(name);
    field.metadata_mut().insert(metadata::LABELS_OF, labels.name().clone());
    Arc::new(field)
}

fn unknown_codes(codes: &[String]) -> String {
    // Codes are numbers; anything else may be text that somebody wrote, and is not shown in messages.
    let shown = codes
        .iter()
        .take(5)
        .filter(|code| code.parse::<f64>().is_ok())
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    let shown = if shown.is_empty() {
        shown
    } else {
        format!(" ({shown}{})", if codes.len() > 5 { ", .." } else { "" })
    };
    let (answers, end) = if codes.len() == 1 {
        ("answer", "becomes a category of its own")
    } else {
        ("answers", "become categories of their own")
    };
    format!("{} {answers} that the code plan does not know{shown} {end}", codes.len())
}

/// The entries of the dictionary, and the code of each.
#[derive(Debug)]
struct Categories {
    labels: Vec<String>,
    by_code: HashMap<String, i32>,
    /// For answers that are already labels.
    by_label: HashMap<String, i32>,
    warnings: Vec<Warning>,
}

impl Categories {
    fn of(variable: &Variable) -> Self {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for value in &variable.values {
            *count.entry(value.label.as_str()).or_default() += 1;
        }
        let mut categories = Categories {
            labels: Vec::new(),
            by_code: HashMap::new(),
            by_label: HashMap::new(),
            warnings: Vec::new(),
        };
        for value in &variable.values {
            let several = count.get(value.label.as_str()).is_some_and(|&count| count > 1);
            let label =
                if several { format!("{} ({})", value.label, value.code) } else { value.label.clone() };
            let place = categories.add(label);
            if !several {
                categories.by_label.insert(value.label.clone(), place);
            }
            categories.by_code.insert(value.code.clone(), place);
        }
        // `1.0` in the plan and 1 in the data are the same code; an exact match takes precedence.
        for (place, value) in (0..).zip(&variable.values) {
            if let Some(code) = as_number(&value.code) {
                categories.by_code.entry(code).or_insert(place);
            }
        }
        if count.values().any(|&count| count > 1) {
            let detail = "several codes share a label; the code is added to such labels";
            categories.warnings.push(Warning::new(&variable.code, detail));
        }
        categories
    }

    /// Adds an entry, made unique among the existing ones.
    fn add(&mut self, mut label: String) -> i32 {
        while self.labels.contains(&label) {
            label.push('*');
        }
        self.labels.push(label);
        i32::try_from(self.labels.len() - 1).unwrap_or(i32::MAX)
    }

    fn find(&self, answer: &str) -> Option<i32> {
        self.by_code.get(answer).or_else(|| self.by_label.get(answer)).copied()
    }

    /// Adds each of these answers as a category, and returns them. Numbers come first, by value.
    fn extend(&mut self, unknown: HashSet<String>) -> Vec<String> {
        let mut unknown: Vec<String> = unknown.into_iter().collect();
        let number = |code: &String| code.parse::<f64>().unwrap_or(f64::INFINITY);
        unknown.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
        for code in &unknown {
            let place = self.add(code.clone());
            self.by_code.insert(code.clone(), place);
        }
        unknown
    }
}

/// The code `1.0` as the data would write it, `1`.
fn as_number(code: &str) -> Option<String> {
    serde_json::from_str::<serde_json::Number>(code).ok()?;
    Cell::read(code).ok().map(|cell| cell.into_text().into_owned())
}

/// An answer as a code: the text of the value; `None` for a null.
pub(super) fn answer(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::Float64 => Some(float_text(array.as_primitive::<Float64Type>().value(row))),
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        DataType::Boolean => Some(array.as_boolean().value(row).to_string()),
        _ => None,
    }
}
