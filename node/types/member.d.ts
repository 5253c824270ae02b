import type { NewMember } from './panel.js';
import type { FieldValue } from './values.js';

/**
 * A member with these values: `newMember({ Email: 'ada@example.org', Age: 36 })`.
 *
 * A number becomes a field of type `Number`, everything else a field of type `String`. For other types, write out the
 * fields: `{ fields: { Born: { name: 'Born', fieldType: 'Date', value: '1815-12-10' } } }`.
 */
export declare function newMember(values: Record<string, FieldValue>): NewMember;
