//! Labels instead of codes, created on request.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, ListArray, StringArray};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

use super::declared::plain;
use super::names::DerivedNames;
use super::not_available::is_not_available;
use super::notes::{Note, NoteKind};
use super::{BaseColumn, metadata};
use crate::column::cell::{Cell, float_text};
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
    /// `codes`, `labels` or `both`.
    pub fn name(self) -> &'static str {
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

/// A column as it is shown when labels are requested.
pub(super) enum Labelled {
    Labels {
        field: FieldRef,
        arrays: Vec<ArrayRef>,
        notes: Vec<Note>,
    },
    /// It stays as it is, and its labels are in the metadata only.
    Codes(Note),
}

/// The labels of a column, or `None` when its variable has none.
///
/// The dictionary is the same for every batch: the choices in the questionnaire's order, then the answers that are not in
/// the code plan. Its entries are unique, as pandas and polars require.
pub(super) fn labelled(column: &BaseColumn) -> Option<Result<Labelled, ArrowError>> {
    let variable = column.variable.as_deref().filter(|variable| !variable.values.is_empty())?;
    if let Some(note) = stays(&column.field, variable, column.nested) {
        return Some(Ok(Labelled::Codes(note)));
    }
    let mut legend = Legend::new(variable);
    if let DataType::List(_) = column.field.data_type() {
        return Some(in_lists(column, legend));
    }
    for array in &column.arrays {
        legend.meet(array);
    }
    let (field, notes) = legend.close(&column.field);
    let arrays = column.arrays.iter().map(|array| legend.labels(array)).collect::<Result<_, _>>();
    Some(arrays.map(|arrays| Labelled::Labels { field, arrays, notes }))
}

/// The same for lists of codes. They stay lists of texts: not every library reads dictionaries inside lists.
fn in_lists(column: &BaseColumn, mut legend: Legend) -> Result<Labelled, ArrowError> {
    let (_, notes) = legend.close(&column.field);
    let labels = |array: &ArrayRef| {
        let codes = array.as_list::<i32>();
        let labels = legend.texts(codes.values());
        let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
        let lists = ListArray::try_new(item, codes.offsets().clone(), labels, codes.nulls().cloned())?;
        Ok(Arc::new(lists) as ArrayRef)
    };
    let arrays = column.arrays.iter().map(labels).collect::<Result<_, ArrowError>>()?;
    let mut field = column.field.as_ref().clone();
    field.metadata_mut().insert(metadata::LISTS_OF, "labels");
    Ok(Labelled::Labels { field: Arc::new(field), arrays, notes })
}

/// Why a column keeps its values although labels are requested; `None` if it shows labels.
pub(super) fn stays(field: &Field, variable: &Variable, nested: bool) -> Option<Note> {
    if nested {
        return Some(Note::new(NoteKind::Nested, field.name(), Vec::new()));
    }
    variable.is_numeric().then(|| {
        let mut codes: Vec<String> = variable.values.iter().map(|value| value.code.clone()).collect();
        leave_out_declared(&mut codes, field);
        Note::new(NoteKind::Numbers, field.name(), codes)
    })
}

/// Codes that were declared as missing need no advice to declare them.
fn leave_out_declared(codes: &mut Vec<String>, field: &Field) {
    let declared = metadata::missing(field);
    let is_declared = |code: &str| declared.iter().any(|value| plain(&value.code) == plain(code));
    codes.retain(|code| !is_declared(code));
}

/// Whether several codes of a column share a label.
pub(super) fn equal(name: &str, variable: &Variable) -> Option<Note> {
    let mut labels = HashSet::new();
    let has_equal = variable.values.iter().any(|value| !labels.insert(value.label.as_str()));
    has_equal.then(|| Note::new(NoteKind::Equal, name, Vec::new()))
}

/// The labels of a variable's values, in their order. A label that several values share has the code behind it.
pub(crate) fn offered(variable: &Variable) -> Vec<String> {
    Categories::of(variable).labels
}

/// Whether the codes of a variable are one scale, so that its labels are ordered.
pub(crate) fn is_ordered(variable: &Variable) -> bool {
    Categories::of(variable).in_order()
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

    /// All arrays have been seen: returns the field of the labels, and notes. The labels are ordered if every one has its place, see
    /// [`Categories::in_order`].
    pub(super) fn close(&mut self, codes: &Field) -> (FieldRef, Vec<Note>) {
        let unlabelled = self.categories.extend(std::mem::take(&mut self.unknown));
        let ordered = unlabelled.appended.is_empty() && self.categories.in_order();
        let kinds = [(NoteKind::Placed, unlabelled.placed), (NoteKind::Appended, unlabelled.appended)];
        let note = |(kind, mut without_label): (NoteKind, Vec<String>)| {
            leave_out_declared(&mut without_label, codes);
            (!without_label.is_empty()).then(|| Note::new(kind, codes.name(), without_label))
        };
        let notes = kinds.into_iter().filter_map(note).collect();
        self.dictionary = Arc::new(StringArray::from(self.categories.labels.clone()));
        let data_type = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        let mut field = codes.clone().with_data_type(data_type).with_dict_is_ordered(ordered);
        let kind = match codes.data_type() {
            DataType::Int64 => "integer",
            DataType::Float64 => "decimal",
            _ => "text",
        };
        field.metadata_mut().insert(metadata::CODES, kind.to_owned());
        (Arc::new(field), notes)
    }

    /// Each category in its order, with its code.
    pub(super) fn coded(&self) -> Vec<(Option<String>, String)> {
        self.categories.coded()
    }

    /// The category of an answer.
    pub(super) fn place(&self, answer: &str) -> Option<usize> {
        usize::try_from(self.categories.find(answer)?).ok()
    }

    /// All labels, in their order.
    pub(super) fn dictionary(&self) -> &ArrayRef {
        &self.dictionary
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
            let category = self.categories.find(&answer(array.as_ref(), row)?)?;
            self.categories.labels.get(usize::try_from(category).ok()?)
        };
        Arc::new((0..array.len()).map(label).collect::<StringArray>())
    }
}

/// The field of a column of labels next to its codes.
pub(super) fn beside(labels: &Field, names: &mut DerivedNames) -> FieldRef {
    let name = names.derive(format!("{}_label", labels.name()));
    let mut field = labels.clone().with_name(name);
    field.metadata_mut().insert(metadata::LABELS_OF, labels.name().clone());
    Arc::new(field)
}

/// Whether the last codes, such as 8 and 9 or 99 after 1 to 5, are probably reasons for which an answer is missing: they are written with
/// nines and eights, behind a gap that is wider than all others.
fn has_detached_end(mut codes: Vec<f64>) -> bool {
    codes.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let steps = codes.windows(2).map(|pair| pair[1].abs() - pair[0].abs());
    let Some((at, gap)) = steps.clone().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)) else {
        return false;
    };
    let is_widest = steps.enumerate().all(|(other, step)| other == at || step < gap);
    // The ends of a scale from 0 to 9 may be labelled alone.
    let is_reason = |code: &f64| is_written_as_a_reason(*code) && (codes.len() > 2 || code.abs() > 10.0);
    is_widest && gap > 1.0 && codes[at + 1..].iter().all(is_reason)
}

/// 8, 9, 88, 97, 98, 99, 888, 997, ...
fn is_written_as_a_reason(code: f64) -> bool {
    let digits = code.abs().to_string();
    let (begin, last) = digits.split_at(digits.len() - 1);
    let is_of = |digit: char| begin.chars().all(|one| one == digit);
    last == "9" && is_of('9')
        || last == "8" && (is_of('8') || is_of('9'))
        || last == "7" && is_of('9') && !begin.is_empty()
}

/// The answers that the code plan does not know, and are categories all the same.
struct Unlabelled {
    /// Inserted by value.
    placed: Vec<String>,
    /// At the end, because they have no place.
    appended: Vec<String>,
}

/// The entries of the dictionary, and the code of each.
#[derive(Debug)]
struct Categories {
    labels: Vec<String>,
    taken: HashSet<String>,
    /// The codes of the plan as numbers, in its order.
    numbers: Vec<Option<f64>>,
    by_code: HashMap<String, i32>,
    /// For answers that are already labels.
    by_label: HashMap<String, i32>,
}

impl Categories {
    fn of(variable: &Variable) -> Self {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for value in &variable.values {
            *count.entry(value.label.as_str()).or_default() += 1;
        }
        let mut categories = Categories {
            labels: Vec::new(),
            taken: HashSet::new(),
            numbers: variable.values.iter().map(|value| number(&value.code)).collect(),
            by_code: HashMap::new(),
            by_label: HashMap::new(),
        };
        for value in &variable.values {
            let several = count.get(value.label.as_str()).is_some_and(|&count| count > 1);
            let label =
                if several { format!("{} ({})", value.label, value.code) } else { value.label.clone() };
            let category = categories.add(label);
            if !several {
                categories.by_label.insert(value.label.clone(), category);
            }
            categories.by_code.insert(value.code.clone(), category);
        }
        // `1.0` in the plan and 1 in the data are the same code; an exact match takes precedence.
        for (place, value) in (0..).zip(&variable.values) {
            if let Some(code) = as_number(&value.code) {
                categories.by_code.entry(code).or_insert(place);
            }
        }
        categories
    }

    /// Adds an entry, made unique among the existing ones.
    fn add(&mut self, mut label: String) -> i32 {
        while !self.taken.insert(label.clone()) {
            label.push('*');
        }
        self.labels.push(label);
        i32::try_from(self.labels.len() - 1).unwrap_or(i32::MAX)
    }

    fn find(&self, answer: &str) -> Option<i32> {
        self.by_code.get(answer).or_else(|| self.by_label.get(answer)).copied()
    }

    /// Each label with the code of the plan, or the answer that it was made for.
    fn coded(&self) -> Vec<(Option<String>, String)> {
        let mut coded: Vec<_> = self.labels.iter().map(|label| (None, label.clone())).collect();
        // Of two spellings of a code, such as 1.0 and 1, the shorter one is that of the answers.
        for (code, place) in &self.by_code {
            let known = usize::try_from(*place).ok().and_then(|place| coded.get_mut(place));
            if let Some((known, _)) = known
                && known.as_ref().is_none_or(|known: &String| code.len() < known.len())
            {
                *known = Some(code.clone());
            }
        }
        coded
    }

    /// Whether the codes of the plan are one scale. Numbers ascend or descend: a -99 after 1 to 5 is no point above 5, neither is a
    /// 99, and what is not available is no point at all. The order of other codes is that of the plan.
    fn in_order(&self) -> bool {
        let codes: Vec<f64> = self.numbers.iter().copied().flatten().collect();
        let is_scale = codes.is_empty() || Scale::of(&self.numbers).open && !has_detached_end(codes.clone());
        !codes.iter().copied().any(is_not_available) && is_scale
    }

    /// Adds each of these answers as a category. A number is inserted by value among the codes of the plan, as far as those
    /// ascend or descend; anything else is appended.
    fn extend(&mut self, unknown: HashSet<String>) -> Unlabelled {
        let scale = Scale::of(&self.numbers);
        let (mut placed, mut appended) = (Vec::new(), Vec::new());
        for code in unknown {
            // What is not available is no point of a scale.
            let value = number(&code).filter(|value| !is_not_available(*value));
            match value.and_then(|value| Some((scale.place(value)?, value))) {
                Some((place, value)) => placed.push((place, value, code)),
                None => appended.push(code),
            }
        }
        placed.sort_by(|(_, a, _), (_, b, _)| if scale.descends { b.total_cmp(a) } else { a.total_cmp(b) });
        let value = |code: &String| number(code).unwrap_or(f64::INFINITY);
        appended.sort_by(|a, b| value(a).total_cmp(&value(b)).then_with(|| a.cmp(b)));
        let mut next = placed.iter().peekable();
        let (mut inserted, mut moved) = (Vec::new(), Vec::new());
        let labels = std::mem::take(&mut self.labels);
        for (place, label) in labels.into_iter().map(Some).chain([None]).enumerate() {
            while let Some((.., code)) = next.next_if(|(at, ..)| *at == place) {
                inserted.push((code.clone(), self.add(code.clone())));
            }
            moved.push(i32::try_from(self.labels.len()).unwrap_or(i32::MAX));
            self.labels.extend(label);
        }
        for place in self.by_code.values_mut().chain(self.by_label.values_mut()) {
            *place =
                usize::try_from(*place).ok().and_then(|place| moved.get(place)).copied().unwrap_or(*place);
        }
        self.by_code.extend(inserted);
        for code in &appended {
            let category = self.add(code.clone());
            self.by_code.insert(code.clone(), category);
        }
        Unlabelled { placed: placed.into_iter().map(|(.., code)| code).collect(), appended }
    }
}

/// The codes of a plan as a scale: those at its beginning that ascend or descend. Codes that stand after them, such as a
/// `-9` for "no answer" behind 1 to 5, are no part of it.
struct Scale {
    values: Vec<f64>,
    descends: bool,
    /// All codes belong to it, so it has no end.
    open: bool,
}

impl Scale {
    fn of(codes: &[Option<f64>]) -> Self {
        let numbers: Vec<f64> = codes.iter().map_while(|code| *code).collect();
        let descends = matches!(numbers[..], [first, second, ..] if second < first);
        let in_order = |pair: &[f64]| if descends { pair[0] > pair[1] } else { pair[0] < pair[1] };
        let length = numbers.windows(2).take_while(|pair| in_order(pair)).count() + 1;
        let values = numbers[..length.min(numbers.len())].to_vec();
        Scale { open: values.len() == codes.len(), values, descends }
    }

    /// The number of codes before this value; `None` if it is not on the scale.
    fn place(&self, value: f64) -> Option<usize> {
        let before = |code: &&f64| if self.descends { **code > value } else { **code < value };
        let position = self.values.iter().take_while(before).count();
        (self.open || (0 < position && position < self.values.len())).then_some(position)
    }
}

/// The value of a code that is a number.
fn number(code: &str) -> Option<f64> {
    serde_json::from_str::<serde_json::Number>(code).ok()?.as_f64()
}

/// The code `1.0` as the data would write it, `1`.
fn as_number(code: &str) -> Option<String> {
    serde_json::from_str::<serde_json::Number>(code).ok()?;
    Cell::read(code).ok().map(|cell| cell.into_text().into_owned())
}

/// The code that an answer is: the value, or the only one of a list.
pub(super) fn code_at(array: &ArrayRef, row: usize) -> Option<String> {
    let Some(lists) = array.as_list_opt::<i32>() else { return answer(array, row) };
    let values = lists.is_valid(row).then(|| lists.value(row))?;
    if values.len() == 1 { answer(values.as_ref(), 0) } else { None }
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
