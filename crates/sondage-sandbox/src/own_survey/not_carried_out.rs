//! What of a questionnaire the sandbox does not carry out when people answer, with all its places.

use crate::world::SurveyVariable;
use crate::world::questionnaire::{ColumnIndex, characters, date, ending_state, misread, not_evaluated};
use serde_json::{Map, Value};
use sondage::model::{Condition, ElementType, SurveyDefinition};
use std::collections::BTreeMap;

/// The conditions that are evaluated when people answer.
const EVALUATED: [&str; 4] = ["Question", "CustomVariable", "UrlVariable", "Language"];

/// The kinds of texts that are checked.
const ENFORCED: [&str; 4] = ["None", "Number", "Real", "Date"];

/// Parts of the editor's form that are no elements.
const PARTS: [&str; 4] = ["Section", "Choice", "ChoiceGroup", "ColumnGroup"];

/// The fields that hold parts of a question.
const PARTS_OF_QUESTIONS: [&str; 3] = ["choices", "columnGroups", "rows"];

/// The list for a questionnaire with these columns: a line for each kind.
pub(super) fn of(questionnaire: &Value, variables: &[SurveyVariable]) -> Vec<String> {
    let columns = ColumnIndex::new(variables);
    let mut problems = Problems { places: BTreeMap::new(), columns, asked: 0 };
    problems.examine(questionnaire, &Place::default());
    problems.lines()
}

/// The list for a questionnaire in the published form.
pub(super) fn of_definition(definition: &SurveyDefinition, variables: &[SurveyVariable]) -> Vec<String> {
    serde_json::to_value(definition)
        .map_or_else(|_| Vec::new(), |questionnaire| of(&questionnaire, variables))
}

/// The code of "not available", which no questionnaire lists.
const NOT_AVAILABLE: &str = "9999999";

/// What is not carried out, and where.
struct Problems<'a> {
    places: BTreeMap<&'static str, Vec<String>>,
    columns: ColumnIndex<'a>,
    /// How many columns the questions have that were examined.
    asked: usize,
}

/// Where a part of a questionnaire is.
#[derive(Clone, Default)]
struct Place {
    name: String,
    /// How many columns are asked before it.
    asked: usize,
    /// How many are asked before the next question.
    end: usize,
    is_forwarding: bool,
    /// Whether its conditions decide what is asked, as those of a calculation do not.
    is_step: bool,
    /// Whether it is a row, a column or a choice of a question: the others may have been answered before it.
    is_part: bool,
}

impl Problems<'_> {
    fn examine(&mut self, value: &Value, place: &Place) {
        match value {
            Value::Object(fields) => {
                let place = self.place(fields, place);
                for problem in self.problems_of(value, &place) {
                    self.places.entry(problem).or_default().push(place.name.clone());
                }
                // The list of the editor, if there is one, decides, and the other field repeats it.
                let has_list =
                    fields.get("conditions").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
                for (name, value) in fields.iter().filter(|(name, _)| !(has_list && *name == "condition")) {
                    if PARTS_OF_QUESTIONS.contains(&name.as_str()) {
                        self.examine(value, &Place { is_part: true, ..place.clone() });
                    } else {
                        self.examine(value, &place);
                    }
                }
                self.asked = self.asked.max(place.end);
            }
            Value::Array(items) => items.iter().for_each(|item| self.examine(item, place)),
            _ => {}
        }
    }

    fn place(&self, fields: &Map<String, Value>, around: &Place) -> Place {
        let mut place = around.clone();
        let kind = fields.get("elementType").map(|kind| kind.as_str().unwrap_or_default());
        // A section has no kind in the published form.
        let is_untyped = fields.contains_key("elements") && !fields.contains_key("conditionAction");
        if kind.map_or(is_untyped, |kind| kind == "Section") {
            (place.asked, place.end, place.is_step) = (self.asked, self.asked, true);
        }
        let Some(kind) = kind else { return place };
        let named =
            ["code", "name", "variableName", "id"].iter().find_map(|name| match fields.get(*name)? {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
        if let Some(name) = named {
            place.name = if place.name.is_empty() { name } else { format!("{}.{name}", place.name) };
        }
        if !PARTS.contains(&kind) {
            let code = fields.get("code").and_then(Value::as_str).map(str::to_owned);
            let code = code.or_else(|| Some(format!("Q{}", fields.get("id")?)));
            let own = code.and_then(|code| self.columns.question(&code));
            (place.asked, place.end) = own.unwrap_or((self.asked, self.asked));
            place.is_forwarding = kind == "UrlForwarding";
            place.is_step = place.is_forwarding || own.is_some();
        }
        place
    }

    fn lines(self) -> Vec<String> {
        let line = |(problem, mut places): (&str, Vec<String>)| {
            places.dedup();
            format!("{problem}: {}", places.join(", "))
        };
        self.places.into_iter().map(line).collect()
    }

    /// Whether a condition compares an answer to a closed question with a code that none of its choices has.
    fn is_of_no_choice(&self, part: &Value) -> bool {
        let compares = ["IsEqualTo", "IsNotEqualTo"].iter().any(|name| part["conditionOperator"] == *name);
        let (Some(name), Some(code)) = (part["identifier"].as_str(), part["value"].as_str()) else {
            return false;
        };
        let asked = self.columns.column(name);
        let Some(asked) = asked.filter(|_| compares && part["conditionType"] == "Question") else {
            return false;
        };
        // A cell of a matrix of several choices is 0 or 1, as each choice of a multiple choice.
        let is_closed = ["SingleChoice", "Matrix"].contains(&asked.kind) && asked.choice.is_none();
        let is_offered = asked.values.iter().any(|(known, _)| known == code);
        is_closed && !is_offered && code != NOT_AVAILABLE && !code.is_empty()
    }

    fn problems_of(&self, part: &Value, place: &Place) -> Vec<&'static str> {
        let mut problems = Vec::new();
        let mut add = |is_there: bool, problem| problems.extend(is_there.then_some(problem));
        add(
            part["conditionType"].as_str().is_some_and(|kind| !EVALUATED.contains(&kind)),
            "a condition that is not evaluated, and is taken as fulfilled",
        );
        let names = part["identifier"].as_str().unwrap_or_default().split(',').map(str::trim);
        let is_question = part["conditionType"] == "Question";
        let asked_for: Vec<&[usize]> =
            names.filter(|_| is_question).map(|name| self.columns.named(name)).collect();
        let is_unknown = asked_for.iter().any(|columns| columns.is_empty());
        add(is_unknown, "a condition on a question that does not exist, and is taken as fulfilled");
        // Of one condition, one reason suffices.
        if problems.is_empty()
            && part.get("conditionOperator").is_some()
            && let Ok(condition) = serde_json::from_value::<Condition>(part.clone())
        {
            problems.extend(not_evaluated(&condition, &self.columns));
        }
        if problems.is_empty() && self.is_of_no_choice(part) {
            problems.push("a condition on a choice that does not exist");
        }
        let mut add = |is_there: bool, problem| problems.extend(is_there.then_some(problem));
        let any = |test: &dyn Fn(&usize) -> bool| asked_for.iter().any(|columns| columns.iter().any(test));
        add(
            place.is_step && !place.is_part && any(&|at| (place.asked..place.end).contains(at)),
            "a condition on its own question, which has no answer when it is evaluated",
        );
        add(
            place.is_step && any(&|at| *at >= place.end.max(place.asked)),
            "a condition on a question that is asked later, which has no answer when it is evaluated",
        );
        add(
            place.is_step && asked_for.iter().any(|columns| columns.len() > 1),
            "a condition on a whole question of several columns, which any of its answers fulfils",
        );
        let rules = match &part["conditions"] {
            Value::Array(rules) if !rules.is_empty() => rules.as_slice(),
            _ => std::slice::from_ref(&part["condition"]),
        };
        problems.extend(rules.iter().filter(|rule| !rule.is_null()).filter_map(misread));
        let mut add = |is_there: bool, problem| problems.extend(is_there.then_some(problem));
        let is_date = |name: &str| part[name].as_str().is_none_or(|limit| date(limit).is_some());
        add(
            !is_date("earliestDate") || !is_date("latestDate"),
            "a limit of dates that is not understood, and is not enforced",
        );
        let limit = &part["charactersLimit"];
        add(
            !limit.is_null() && characters(limit.as_i64()).is_none(),
            "a limit of characters that is not understood, and is not enforced",
        );
        add(
            part["validationType"].as_str().is_some_and(|kind| !ENFORCED.contains(&kind)),
            "a kind of text that is not enforced",
        );
        add(
            part["minMaxValidation"] == true && part["elementType"] != "MultipleChoice",
            "a limit of choices that is not enforced",
        );
        add(part["isLoopedSection"] == true, "a loop, which is asked once");
        add(part["aiFollowUpEnabled"] == true, "follow-up questions, which are not asked");
        let is_ending =
            part["interviewState"].as_str().is_some_and(|state| ending_state(Some(state)).is_some());
        add(
            part["elementType"] == "UrlForwarding" && !is_ending,
            "a forwarding whose state ends no interview, and is taken as Completed",
        );
        match part["elementType"].as_str() {
            Some("ValueAssignment") => add(true, "a calculation, which is not computed"),
            Some("Validation") => add(true, "a validation, which is not enforced"),
            Some("QuotaCheck") => add(
                true,
                "a check of quotas, which are never full: a questionnaire does not have their counts",
            ),
            Some("ApiCall" | "Script" | "SendEmail") => add(true, "an action, which is not executed"),
            Some(kind) if !PARTS.contains(&kind) && !ElementType::KNOWN.contains(&kind) => {
                add(true, "an element of a kind that is not known, and is left out");
            }
            _ => {}
        }
        if place.is_forwarding {
            // Nobody is screened out by mistake.
            for problem in &mut problems {
                if problem.ends_with("taken as fulfilled") || problem.ends_with("not evaluated") {
                    *problem = "a forwarding with a condition that is not evaluated, which ends no interview";
                }
            }
        }
        problems
    }
}
