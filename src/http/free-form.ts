import { Transform } from 'class-transformer';

/** The fields whose content is the client's own: kept as it came, whatever its keys are called. */
const FREE_FORM = ['metadata'];

/** Class-transformer and Nest leave out keys such as `constructor` of what they can look into. */
class Hidden {
  readonly #value: unknown;

  constructor(value?: unknown) {
    this.#value = value;
  }

  static show(value: unknown): unknown {
    return value instanceof Hidden ? value.#value : value;
  }
}

/** The body with its free-form fields hidden until its DTO is made, of which they are `FreeForm`. */
export function hideFreeForm(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const hidden = FREE_FORM.filter((field) => Object.hasOwn(body, field)).map((field) => [
    field,
    new Hidden((body as Record<string, unknown>)[field]),
  ]);
  return { ...body, ...(Object.fromEntries(hidden) as object) };
}

/** A field that the client fills with keys of its own. */
export const FreeForm = () =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => Hidden.show(obj[key]));
