// Helpers for building questionnaires: texts in several languages, element ids, required switches.
import type { ConditionDefinition, Translation } from './common.js';
import type { Expression } from './condition.js';
import type { Choice, ElementType, SurveyElement } from './element.js';
import type { SurveyDefinition } from './questionnaire.js';

export * from './questions.js';

/** One text in several languages, by their codes: `{ en: 'Why?', de: 'Warum?' }`. */
export type Texts = Record<string, string>;

/**
 * The choices of a question: by their codes, `{ 1: { en: 'Yes' }, 2: { en: 'No' } }`; as pairs, which keep an order
 * other than that of the numbers, `[['9', { en: 'Other' }], ['1', { en: 'Yes' }]]`; or as made by `choice`.
 */
export type Choices = Record<string, Texts> | readonly (Choice | readonly [code: string, text: Texts])[];

/** Other fields of an element. */
export type MoreOfElement = Partial<Omit<SurveyElement, 'id' | 'elementType'>>;

/**
 * A questionnaire for `createSurvey`. Each person can answer once, and can go back.
 *
 * @param languages Their codes. The first is the default.
 * @param sections The elements of each section, by the section's name, which is not displayed.
 * @param more `end`: the text at the end; and other fields of a questionnaire.
 */
export declare function questionnaire(
  languages: readonly string[],
  sections: Record<string, readonly SurveyElement[]>,
  more?: Partial<SurveyDefinition> & { end?: Texts },
): SurveyDefinition;

/** One text in several languages, as the API represents it. */
export declare function texts(texts: Texts): Translation[];

/** An element of any kind, with only its kind set. */
export declare function element(kind: ElementType, more?: MoreOfElement): SurveyElement;

/** One of the choices of a question: its value in the data, and its label. */
export declare function choice(code: string, text: Texts, more?: Partial<Choice>): Choice;

/** A scale on which a point is chosen. */
export declare function slider(
  code: string,
  text: Texts,
  from: number,
  to: number,
  more?: MoreOfElement,
): SurveyElement;

/** A matrix: rows that share the same columns, with one choice per row. */
export declare function matrix(
  code: string,
  text: Texts,
  rows: Choices,
  columns: Choices,
  more?: MoreOfElement,
): SurveyElement;

/** A text between questions. */
export declare function textBlock(text: Texts, more?: MoreOfElement): SurveyElement;

/** A page break. */
export declare function pageBreak(): SurveyElement;

/**
 * The condition under which an element is shown: `{ condition: ask.showWhen(field('age').isGreaterThan(17)) }`.
 *
 * Throws `InvalidArgument` if the expression cannot be written as conditions of the service.
 */
export declare function showWhen(expression: Expression): ConditionDefinition;
