import type { NewMember } from './panel.js';
import type { FieldValue } from './values.js';

/**
 * A member with these values: `newMember({ Email: 'ada@example.org', Age: 36 })`.
 *
 * A number makes a field of type `Number`, everything else one of type `String`. For other types write the fields out:
 * `{ fields: { Born: { name: 'Born', fieldType: 'Date', value: '1815-12-10' } } }`.
 */
export declare function newMember(values: Record<string, FieldValue>): NewMember;
