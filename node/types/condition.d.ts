import type { Comparisons, Variables } from './comparisons.js';
import type { Condition, ConditionOperator, ConditionType } from './common.js';

/** A value to compare with. A `Date` is a timestamp; a day is `{ date: '2024-05-01' }`. */
export type Comparable = string | number | bigint | boolean | Date | { date: string };

/** A filter: which members to read or to invite. Tests are joined by `.and()` and `.or()`: **`a && b` is `b` alone**, the other test is dropped. */
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
  /** The filter as a person reads it. */
  toString(): string;
}

/** A filter, or conditions as a request has them. Tests are joined by `.and()` and `.or()`, not by `&&` and `||`. */
export type Filter = Expression | readonly Condition[];

/** The left side of a comparison. Its methods are the comparisons. */
export interface Variable extends Comparisons {}
export declare class Variable {
  private constructor();
  /** Compares with an operator of the API. */
  compare(operator: ConditionOperator, value?: Comparable | readonly Comparable[]): Expression;
}

/** Where filters begin: `field('Division').isEqualTo('Sales')`. Join two by `.and()` or `.or()`: `&&` drops the first test. */
export declare const field: Variables & {
  /** The same as `panel`. */
  (name: string): Variable;
  /** A variable of any type that a condition can compare. */
  variable(type: ConditionType, name: string): Variable;
};
