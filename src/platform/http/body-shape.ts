import type { Type } from '@nestjs/common';
import { type FieldError, invalidField, MAX_ERRORS, Problem } from '../problems/problem.js';
import { type DtoField, getDtoFields, MAX_FIELDS, MAX_ITEMS } from './dto-fields.js';

/** The maximum number of values in a body without a DTO, all objects and lists included. */
const MAX_VALUES = 10_000;

/** A field that is set on a DTO after its creation. */
interface VerbatimField {
  /** The path from the body's DTO to the object with the field. */
  readonly path: readonly string[];
  readonly name: string;
  readonly value: object;
}

/** A body, split by the fields that its DTO declares. */
export interface BodyShape {
  /** The input from which class-transformer creates the DTO. */
  readonly plain: object;
  /**
   * Objects and lists that are not DTOs. class-transformer would copy them, which takes quadratic time,
   * and drop fields such as `constructor`.
   */
  readonly verbatim: readonly VerbatimField[];
  readonly unknownFields: readonly FieldError[];
}

/**
 * Checks the size of a body against the declarations of its DTO before any objects are created.
 *
 * @param what the name of the body in errors about the whole of it
 * @throws Problem `validation_failed` if an object has too many fields, a list too many entries, or
 *   there are as many unknown fields as a problem can list
 */
export function toBodyShape(body: object, dto: Type, what: string): BodyShape {
  const verbatim: VerbatimField[] = [];
  const unknownFields: FieldError[] = [];

  function toPlainObject(given: object, type: Type, path: readonly string[]): object {
    requireFields(given, MAX_FIELDS, path.join('.'), what);
    const fields = getDtoFields(type);
    const plain: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      const field = fields.get(name);
      if (!field) addUnknown([...path, shorten(name)].join('.'));
      else if (!isObject(value)) plain[name] = value;
      else if (field.dto) plain[name] = toPlainNested(value, field, field.dto, [...path, name]);
      else {
        requireSize(value, field, [...path, name].join('.'), what);
        verbatim.push({ path, name, value });
      }
    }
    return plain;
  }

  function toPlainNested(value: object, field: DtoField, dto: Type, path: readonly string[]) {
    if (!Array.isArray(value)) return toPlainObject(value, dto, path);
    if (!field.isList) return [];
    requireItems(value, field.maxItems, path.join('.'), what);
    return value.map((entry: unknown, index) => {
      if (!isObject(entry)) return entry;
      // An empty list is refused later as well, as an entry that is not an object.
      return Array.isArray(entry) ? [] : toPlainObject(entry, dto, [...path, String(index)]);
    });
  }

  function addUnknown(field: string): void {
    unknownFields.push(unknownField(field));
    if (unknownFields.length === MAX_ERRORS) throw invalidFields(unknownFields);
  }

  return { plain: toPlainObject(body, dto, []), verbatim, unknownFields };
}

/**
 * Like `toBodyShape`, for a body without a DTO that a package validates.
 *
 * @throws Problem `validation_failed`
 */
export function requireBounds(body: unknown, what: string): void {
  let values = 0;
  const visit = (value: unknown, path: string): void => {
    if (++values > MAX_VALUES) {
      throw invalidField('', `${what} must have at most ${MAX_VALUES} values`);
    }
    if (!isObject(value)) return;
    requireSize(value, { maxItems: MAX_ITEMS, maxFields: MAX_FIELDS }, path, what);
    for (const [name, child] of Object.entries(value)) {
      visit(child, path === '' ? shorten(name) : `${path}.${shorten(name)}`);
    }
  };
  visit(body, '');
}

export const unknownField = (field: string): FieldError => ({
  field,
  message: `${field} is not a known field`,
});

export const invalidFields = (errors: readonly FieldError[]) =>
  new Problem('validation_failed', { errors: [...errors] });

/** Shortens the name of an unknown field, since clients can send names of any length. */
export const shorten = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

type Bounds = Pick<DtoField, 'maxItems' | 'maxFields'>;

function requireSize(value: object, bounds: Bounds, path: string, what: string): void {
  if (Array.isArray(value)) requireItems(value, bounds.maxItems, path, what);
  else requireFields(value, bounds.maxFields, path, what);
}

function requireFields(value: object, max: number, path: string, what: string): void {
  if (Object.keys(value).length <= max) return;
  throw invalidField(path, `${path || what} must have at most ${max} fields`);
}

function requireItems(value: readonly unknown[], max: number, path: string, what: string): void {
  if (value.length <= max) return;
  throw invalidField(path, `${path || what} must contain no more than ${max} elements`);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
