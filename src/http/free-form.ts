import { Transform } from 'class-transformer';

/** Fields whose keys the client chooses: they are kept as they were sent. */
const FREE_FORM_FIELDS = ['metadata'];

/**
 * Hides a value from Nest and class-transformer, which would drop keys such as `constructor` from a
 * plain object.
 */
class OpaqueValue {
  readonly #value: unknown;

  constructor(value?: unknown) {
    this.#value = value;
  }

  static unwrap(value: unknown): unknown {
    return value instanceof OpaqueValue ? value.#value : value;
  }
}

/** Wraps the free-form fields of a body until it becomes its DTO, where FreeForm unwraps them. */
export function wrapFreeFormFields(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const wrapped = { ...body } as Record<string, unknown>;
  for (const field of FREE_FORM_FIELDS) {
    if (Object.hasOwn(body, field)) wrapped[field] = new OpaqueValue(wrapped[field]);
  }
  return wrapped;
}

/** A field that the client fills with keys of its own. */
export const FreeForm = () =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) =>
    OpaqueValue.unwrap(obj[key]),
  );
