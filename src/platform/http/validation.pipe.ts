import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import type { FieldError } from '../problems/problem.js';
import {
  type BodyShape,
  invalidFields,
  requireBounds,
  toBodyShape,
  unknownField,
} from './body-shape.js';
import { findInheritedNames } from './inherited-names.js';

/**
 * Converts bodies and queries to DTOs, or throws a `validation_failed` that names each bad field. The
 * number of fields and entries is checked first; Nest's own pipe would instantiate all of them before
 * counting.
 */
@Injectable()
export class BodyValidationPipe implements PipeTransform<unknown, Promise<unknown>> {
  async transform(
    value: unknown,
    { type, metatype }: Pick<ArgumentMetadata, 'type' | 'metatype'>,
  ): Promise<unknown> {
    if (type !== 'body' && type !== 'query') return value;
    const what = `the ${type}`;
    if (!isDto(metatype)) {
      requireBounds(value, what);
      // A lookup in a plain object would find these names.
      const names = findInheritedNames(value);
      if (names.length > 0) throw invalidFields(names.map(unknownField));
      return value;
    }
    const given = value ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw invalidFields([{ field: '', message: `${what} must be an object` }]);
    }
    const shape = toBodyShape(given, metatype, what);
    const dto = toDto(metatype, shape);
    const errors = await validate(dto, { forbidUnknownValues: true, stopAtFirstError: true });
    if (shape.unknownFields.length + errors.length > 0) {
      throw invalidFields([
        ...shape.unknownFields,
        ...errors.flatMap((error) => toFieldErrors(error)),
      ]);
    }
    return dto;
  }
}

const WITHOUT_DTO = new Set<unknown>([undefined, Object, Array, String, Number, Boolean]);

const isDto = (metatype: Type | undefined): metatype is Type<object> => !WITHOUT_DTO.has(metatype);

function toDto(type: Type<object>, { plain, verbatim }: BodyShape): object {
  const dto = plainToInstance(type, plain);
  for (const { path, name, value } of verbatim) {
    const owner = path.reduce<object>((object, step) => Reflect.get(object, step) as object, dto);
    Reflect.set(owner, name, value);
  }
  return dto;
}

function toFieldErrors(error: ValidationError, parent = ''): FieldError[] {
  const field = parent + error.property;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => toFieldErrors(child, `${field}.`))];
}
