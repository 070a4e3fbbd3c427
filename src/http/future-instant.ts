import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isISO8601, ValidateBy } from 'class-validator';
import { hasPlainYear, MAX_INSTANT_LENGTH } from './instant.js';

// A date alone is not enough: it would be somebody's midnight.
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** An ISO 8601 date and time with a time zone, later than now. */
export const IsFutureInstant = () =>
  applyDecorators(
    ApiProperty({
      format: 'date-time',
      maxLength: MAX_INSTANT_LENGTH,
      example: '2099-12-31T23:59:59.000Z',
    }),
    ValidateBy({
      name: 'isFutureInstant',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          INSTANT.test(value) &&
          // Date.parse takes the 30th of February for the 2nd of March.
          isISO8601(value, { strict: true }) &&
          Date.parse(value) > Date.now() &&
          hasPlainYear(Date.parse(value)),
        defaultMessage: () =>
          '$property must be a date and time in the future, such as 2099-12-31T23:59:59Z',
      },
    }),
  );
