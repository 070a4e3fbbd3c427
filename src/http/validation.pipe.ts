import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { FieldError, Problem } from './problem.js';

/** Bodies and queries become DTOs or a `validation_failed` that names each bad field. */
export const createValidationPipe = () =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    exceptionFactory: (errors) =>
      new Problem('validation_failed', { errors: errors.flatMap((error) => fieldErrors(error)) }),
  });

function fieldErrors(error: ValidationError, parent = ''): FieldError[] {
  const field = parent + shorten(error.property);
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    field,
    message: constraint === 'whitelistValidation' ? `${field} is not a known field` : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, `${field}.`))];
}

/** The name of an unknown field is the client's own text: told, but not at any length. */
const shorten = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
