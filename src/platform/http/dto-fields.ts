import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The maximum number of fields of an object. */
export const MAX_FIELDS = 100;
/** The maximum number of fields of an object whose field names the client chooses. */
export const MAX_FREE_FORM_FIELDS = 1000;
/** The maximum number of entries of a list, unless its field declares another. */
export const MAX_ITEMS = 1000;

/** Information from a field's decorators for the validation pipe, in the `context` of a validator. */
export interface FieldContext {
  readonly maxItems?: number;
  readonly maxFields?: number;
  /** The DTO of the object in the field, or of each object of the list. */
  readonly dto?: () => Type;
}

/** A field of a DTO, as its decorators declare it. */
export interface DtoField {
  readonly maxItems: number;
  readonly maxFields: number;
  readonly dto: Type | undefined;
  readonly isList: boolean;
}

const cached = new Map<Type, ReadonlyMap<string, DtoField>>();

/** Returns the fields of a DTO: those with a validator, as for class-validator's `whitelist`. */
export function getDtoFields(dto: Type): ReadonlyMap<string, DtoField> {
  const known = cached.get(dto);
  if (known) return known;
  const fields = new Map<string, DtoField>();
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  for (const { propertyName, name, constraints, context, each } of metadata) {
    const before = fields.get(propertyName);
    const own = context as FieldContext | undefined;
    const arrayMaxSize =
      name === 'arrayMaxSize' ? (constraints as readonly number[])[0] : undefined;
    fields.set(propertyName, {
      maxItems: arrayMaxSize ?? own?.maxItems ?? before?.maxItems ?? MAX_ITEMS,
      maxFields: own?.maxFields ?? before?.maxFields ?? MAX_FIELDS,
      dto: own?.dto?.() ?? before?.dto,
      isList: own?.dto ? each : (before?.isList ?? false),
    });
  }
  cached.set(dto, fields);
  return fields;
}
