import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isISO8601, ValidateBy } from 'class-validator';

const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Of a moment with nine decimals and an offset. */
export const MAX_INSTANT_LENGTH = '2026-11-01T00:00:00.000000000+00:00'.length;

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a moment, in milliseconds from 1970, has a year of four digits in UTC: an offset may lead out. */
export const hasPlainYear = (ms: number): boolean => ms >= FIRST && ms <= LAST;

/** An ISO 8601 date and time with a time zone, or a date, which stands for its midnight. */
export const IsInstant = () =>
  applyDecorators(
    ApiProperty({ format: 'date-time', maxLength: MAX_INSTANT_LENGTH }),
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          INSTANT.test(value) &&
          isISO8601(value, { strict: true }) &&
          hasPlainYear(Date.parse(value)),
        defaultMessage: () =>
          '$property must be a date such as 2026-11-01, or a date and time such as 2026-11-01T09:30:00Z',
      },
    }),
  );
