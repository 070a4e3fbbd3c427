import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isISO8601, ValidateBy } from 'class-validator';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** A day or a month within a text. */
export const DATE_OR_MONTH = /(?<![\d-])(?:19|20)\d\d-\d\d(?:-\d\d)?(?![\d-])/g;
const PARTIAL_DATE = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/;

/** The length of a time with nine decimals and an offset. */
const MAX_INSTANT_LENGTH = '2026-11-01T00:00:00.000000000+00:00'.length;

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** An ISO 8601 date and time with a time zone, or a date, which means its midnight. */
export const IsInstant = () =>
  applyDecorators(
    ApiProperty({ format: 'date-time', maxLength: MAX_INSTANT_LENGTH }),
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: (value: unknown) =>
          isDateMatching(value, DATE) || isDateMatching(value, DATE_TIME),
        defaultMessage: () =>
          '$property must be a date such as 2026-11-01, or a date and time such as 2026-11-01T09:30:00Z',
      },
    }),
  );

/** Whether a text is a year, a month or a day that exists (ISO 8601). */
export const isPartialDate = (text: string): boolean =>
  PARTIAL_DATE.test(text) && isDateMatching(`${text}-01-01`.slice(0, '2026-11-01'.length), DATE);

/** A year, a month or a day (ISO 8601). */
export const IsPartialDate = () =>
  applyDecorators(
    ApiProperty({ pattern: PARTIAL_DATE.source, maxLength: '2026-11-01'.length }),
    ValidateBy({
      name: 'isPartialDate',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isPartialDate(value),
        defaultMessage: () =>
          '$property must be a year, a month or a day that exists, such as 2026, 2026-11 or 2026-11-01',
      },
    }),
  );

/** An ISO 8601 date and time with a time zone, later than now. A date alone is ambiguous here. */
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
          isDateMatching(value, DATE_TIME) && Date.parse(value) > Date.now(),
        defaultMessage: () =>
          '$property must be a date and time in the future, such as 2099-12-31T23:59:59Z',
      },
    }),
  );

function isDateMatching(value: unknown, pattern: RegExp): value is string {
  // Date.parse would accept the 30th of February as the 2nd of March.
  if (typeof value !== 'string' || !pattern.test(value) || !isISO8601(value, { strict: true })) {
    return false;
  }
  // In UTC an offset can lead to a year of more or fewer than four digits.
  const ms = Date.parse(value);
  return ms >= FIRST && ms <= LAST;
}
