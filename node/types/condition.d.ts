import type { Condition, ConditionOperator, ConditionType, VariableType } from './common.js';

/** A value to compare with. A `Date` is a timestamp; a day is `{ date: '2024-05-01' }`. */
export type Comparable = string | number | bigint | boolean | Date | { date: string };

/** A filter: which members to read or to invite, which interviews to read. */
export declare class Expression {
  private constructor();
  /** Both this and the others. */
  and(...others: Expression[]): Expression;
  /** This or any of the others. */
  or(...others: Expression[]): Expression;
  /** The negation, for operators that have one. */
  not(): Expression;
  /** The conditions for a request. The service knows no brackets: And is repeated after each Or. */
  compile(): Condition[];
}

/** A variable that a condition can compare. Its methods are the comparisons. */
export declare class Variable {
  private constructor();
  /** Sends the name with its prefix: `member.Division`, `custom.Source`. */
  prefixed(): Variable;
  /** Sends the name without a prefix, as given. */
  bare(): Variable;
  /** Sets the data type of the variable, where the service cannot know it. */
  ofType(type: VariableType): Variable;
  /** Compares the value at a path inside a variable that holds JSON. The syntax of the path is not published. */
  atJsonPath(path: string): Variable;
  /** Compares with an operator of the API. */
  compare(operator: ConditionOperator, value?: Comparable | readonly Comparable[]): Expression;

  isLessThan(value: Comparable): Expression;
  isLessThanOrEqualTo(value: Comparable): Expression;
  isGreaterThan(value: Comparable): Expression;
  isGreaterThanOrEqualTo(value: Comparable): Expression;
  isEqualTo(value: Comparable): Expression;
  isNotEqualTo(value: Comparable): Expression;
  /** Contains the text. */
  contains(value: Comparable): Expression;
  doesNotContain(value: Comparable): Expression;
  /** Matches the regular expression. Its dialect is not published. */
  matches(pattern: string): Expression;
  doesNotMatch(pattern: string): Expression;
  /** Later than this timestamp. */
  isAfter(time: Date): Expression;
  /** At or after this timestamp. */
  isSince(time: Date): Expression;
  /** Earlier than this timestamp. */
  isBefore(time: Date): Expression;
  /** At or before this timestamp. */
  isUntil(time: Date): Expression;

  /** Equal to any of the values. No value may contain a comma, because the service separates them by commas. */
  isIn(values: Iterable<Comparable>): Expression;
  /** Different from each of the values. */
  isNotIn(values: Iterable<Comparable>): Expression;
  /** Equal to any of the values: the service's own `AnyIsEqual`. */
  anyIsEqual(values: Iterable<Comparable>): Expression;
  /** `AnyIsNotEqual` of the service. How it counts is not published: `isNotIn` is certain. */
  anyIsNotEqual(values: Iterable<Comparable>): Expression;
  /** Matches any of the regular expressions. None may contain a comma. */
  anyMatches(patterns: Iterable<string>): Expression;
  /** `AnyDoesNotMatchRegex` of the service. How it counts is not published. */
  anyDoesNotMatch(patterns: Iterable<string>): Expression;

  /** Has no value. */
  isEmpty(): Expression;
  /** Has a value. */
  isNotEmpty(): Expression;
  /** Any of its values is empty. */
  anyIsEmpty(): Expression;
  /** Any of its values is not empty. */
  anyIsNotEmpty(): Expression;
}

/** The start of a filter: `field('Division').isEqualTo('Sales')`. */
export declare const field: {
  /** A field of a panel or sample. */
  (name: string): Variable;
  /** A field of a panel or sample. */
  panel(name: string): Variable;
  /** A question of a survey, by its code. */
  question(code: string): Variable;
  /** A custom variable of a survey. It is sent with the prefix `custom.`, unless it is `bare()`. */
  custom(name: string): Variable;
  /** A variable from the URL of an interview. */
  url(name: string): Variable;
  /** A system column of the service, such as `Id`, `State`, `CreatedAt` or `UpdatedAt`. */
  column(name: string): Variable;
  /** A variable of any type that a condition can compare. */
  variable(type: ConditionType, name: string): Variable;
};
