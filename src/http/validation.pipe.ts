import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import * as transformerPackage from 'class-transformer';
import * as validatorPackage from 'class-validator';
import { FieldError, Problem } from '../problems/problem.js';
import { wrapFreeFormFields } from './free-form.js';
import { inheritedNames } from './inherited-names.js';

/** Bodies and queries become DTOs or a `validation_failed` that names each bad field. */
export class BodyValidationPipe extends ValidationPipe {
  constructor() {
    super({
      // Else Nest imports both by name: in the bundle, a second copy of each.
      transformerPackage,
      validatorPackage,
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => invalid(errors.flatMap((error) => fieldErrors(error))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query') {
      return super.transform(value, metadata);
    }
    const given = wrapFreeFormFields(value);
    // Nest and class-transformer drop some of these, and class-validator accepts the others.
    const names = inheritedNames(given);
    if (names.length > 0) {
      throw invalid(names.map((field) => ({ field, message: `${field} is not a known field` })));
    }
    return super.transform(given, metadata);
  }
}

const invalid = (errors: FieldError[]) => new Problem('validation_failed', { errors });

function fieldErrors(error: validatorPackage.ValidationError, parent = ''): FieldError[] {
  const field = parent + shorten(error.property);
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    field,
    message: constraint === 'whitelistValidation' ? `${field} is not a known field` : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, `${field}.`))];
}

/** The name of an unknown field is the client's own text, of any length. */
const shorten = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
