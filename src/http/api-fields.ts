import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { TypeIdPrefix } from './type-id.js';

// What the OpenAPI plugin cannot tell from a type: it goes into the document beside the field's type,
// its comment and whether it is required, which the plugin adds.

const EXAMPLE_SUFFIX = '01kafdp6ygf4rs4s2cr5cvzwkc';

/** The schema of an id. */
export const idSchema = (prefix: TypeIdPrefix) => ({
  type: 'string' as const,
  pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
  example: `${prefix}_${EXAMPLE_SUFFIX}`,
});

/** An id that names what `prefix` stands for; `example` is null where there mostly is none. */
export const ApiId = (prefix: TypeIdPrefix, example?: null) => {
  const schema = idSchema(prefix);
  return ApiProperty(example === null ? { type: schema.type, pattern: schema.pattern } : schema);
};

/** A moment, such as `2026-11-20T09:30:00.000Z`; `example` is null where there mostly is none. */
export const ApiInstant = (example: string | null = '2026-11-20T09:30:00.000Z') =>
  ApiProperty({ format: 'date-time', ...(example !== null && { example }) });

/** A whole number. */
export const ApiInteger = (options: Pick<ApiPropertyOptions, 'minimum' | 'maximum'> = {}) =>
  ApiProperty({ type: 'integer', ...options });

/** How many of something: a whole number from 0. */
export const ApiCount = () => ApiInteger({ minimum: 0 });
