'use strict';
// Helpers for building questionnaires: texts in several languages, element ids, required switches.

exports.texts = (texts) => Object.entries(texts).map(([languageCode, text]) => ({ languageCode, text }));

exports.questionnaire = function questionnaire(languages, sections, { end = {}, ...more } = {}) {
  let last = 0;
  const section = ([name, asked]) => {
    const id = ++last;
    const elements = numbered(asked, id + 1);
    last += elements.length;
    return { id, name, randomizePages: false, excludeFromRandomization: false, elements };
  };
  return {
    allowMultipleParticipation: false,
    allowNavigateBack: true,
    randomizeSections: false,
    codeAccessMode: 'None',
    defaultLanguage: languages[0] ?? '',
    languages: [...languages],
    sections: Object.entries(sections).map(section),
    customVariables: [],
    surveyEndText: exports.texts(end),
    ...more,
  };
};

exports.element = (elementType, more) => ({ id: 0, elementType, ...more });

exports.choice = (code, text, more) => {
  const usual = { allowTextEntry: false, forceInput: false, autocomplete: false, exclusive: false };
  return { id: 0, code, text: exports.texts(text), ...usual, ...more };
};

const question = (kind) => (code, text, more) => exports.element(kind, { code, text: exports.texts(text), ...more });
const ofChoices = (kind) => (code, text, choices, more) =>
  question(kind)(code, text, { choices: offered(choices), ...more });

exports.singleChoice = ofChoices('SingleChoice');
exports.multipleChoice = ofChoices('MultipleChoice');
exports.dropdown = ofChoices('Dropdown');
exports.openQuestion = question('OpenQuestion');
exports.date = question('Date');
exports.nps = question('Nps');
exports.slider = (code, text, from, to, more) =>
  question('Slider')(code, text, { minValue: from, maxValue: to, ...more });

exports.matrix = (code, text, rows, columns, more) => {
  const group = { id: 1, text: [], hasNotAvailableChoice: false, randomizeColumns: false, choiceType: 'Single' };
  const columnGroups = [{ ...group, choices: offered(columns) }];
  return ofChoices('Matrix')(code, text, rows, { columnType: 'Single', columnGroups, ...more });
};

exports.textBlock = (text, more) => exports.element('TextBlock', { text: exports.texts(text), ...more });
exports.pageBreak = () => exports.element('PageBreak');
exports.showWhen = (expression) => ({ conditionAction: 'Passes', elements: expression.compile() });

/** Choices given as such, or by their codes. JavaScript sorts numeric keys, so an array of pairs keeps
 * another order. */
function offered(choices) {
  const list = Array.isArray(choices) ? choices : Object.entries(choices);
  return numbered(list.map((one) => (Array.isArray(one) ? exports.choice(...one) : one)), 1);
}

function numbered(things, first) {
  return Array.from(things, (thing, at) => ({ ...thing, id: first + at }));
}
