import type { Int } from './values.js';

/** The types in which ids can be returned. */
export interface IdTypes {
  number: number;
  bigint: bigint;
  string: string;
}

type IdName = 'id' | 'ids' | `${string}Id` | `${string}Ids`;

type Id<Value, Type> = Value extends Int ? Type : Value extends readonly (infer Row)[] ? Id<Row, Type>[] : Value;

/** `Value`, whose properties named `id`, `ids`, `...Id` and `...Ids` hold ids of one type. */
export type IdsAs<Value, Type> = Value extends Date | Int | string | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Row)[]
    ? IdsAs<Row, Type>[]
    : { [Name in keyof Value]: Name extends IdName ? Id<Value[Name], Type> : IdsAs<Value[Name], Type> };

/**
 * A copy of a response, of a row or of rows whose ids are all of one type: to sort by them (`(a, b) => a.id - b.id` of numbers),
 * to use them as keys, for a column of type `bigint`, or as JSON (`string`). Other integers stay as they are.
 *
 * An id that a `number` cannot hold is an `InvalidArgument`: nothing is rounded.
 */
export declare function idsAs<Value, Type extends keyof IdTypes>(value: Value, type: Type): IdsAs<Value, IdTypes[Type]>;
