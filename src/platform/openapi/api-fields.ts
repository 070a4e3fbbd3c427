import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

// The OpenAPI plugin adds a field's type, its comment and whether it is required; these decorators add
// what it cannot infer from the type.

const EXAMPLE_SUFFIX = '01kafdp6ygf4rs4s2cr5cvzwkc';

/** The prefixes of ids: `kb_01h…` is a knowledge base. */
export type TypeIdPrefix =
  | 'kb'
  | 'member'
  | 'key'
  | 'doc'
  | 'chunk'
  | 'conv'
  | 'msg'
  | 'query'
  | 'audit'
  | 'eval'
  | 'wh'
  | 'whd'
  | 'src'
  | 'usr'
  | 'grp'
  | 'run'
  | 'as'
  | 'cur'
  | 'sa'
  | 'trust'
  | 'conn'
  | 'link'
  | 'site'
  | 'chan'
  | 'inv';

/** The schema of an id. */
export const idSchema = (prefix: TypeIdPrefix) => ({
  type: 'string' as const,
  pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
  maxLength: prefix.length + 1 + EXAMPLE_SUFFIX.length,
  example: `${prefix}_${EXAMPLE_SUFFIX}`,
});

/** An id; `example` is null if the field usually is. */
export const ApiId = (prefix: TypeIdPrefix, example?: null) => {
  const { example: usual, ...schema } = idSchema(prefix);
  return ApiProperty(example === null ? schema : { ...schema, example: usual });
};

/** A time, such as `2026-11-20T09:30:00.000Z`; `example` is null if the field usually is. */
export const ApiInstant = (example: string | null = '2026-11-20T09:30:00.000Z') =>
  ApiProperty({ format: 'date-time', ...(example !== null && { example }) });

/** A whole number of 32 bits. */
export const ApiInteger = (options: Pick<ApiPropertyOptions, 'minimum' | 'maximum'> = {}) =>
  ApiProperty({ type: 'integer', format: 'int32', ...options });

/** The schema of a count, which may need more than 32 bits. */
export const COUNT_SCHEMA = { type: 'integer', format: 'int64', minimum: 0 } as const;

/** A count: a whole number from 0. */
export const ApiCount = () => ApiProperty(COUNT_SCHEMA);
