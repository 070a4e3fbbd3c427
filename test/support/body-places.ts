import { type OpenApiDocument, resolve, type Schema, typeOf } from './operations.js';

/** A place in a request's body, with a way to send something else there in an otherwise valid body. */
export interface BodyPlace {
  /** Such as `questions[].external_ids`; empty for the body itself. */
  readonly name: string;
  readonly kind: 'object' | 'list of objects' | 'list';
  readonly schema: Schema;
  readonly holding: (value: unknown) => unknown;
}

/** Filters hold filters. */
const MAX_DEPTH = 6;

/** Each object and list that a body may have, at any depth. */
export function placesOf(
  document: OpenApiDocument,
  reference: Schema,
  name = '',
  depth = 0,
): BodyPlace[] {
  if (depth > MAX_DEPTH) return [];
  const schema = resolve(document, reference);
  const alternatives = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (alternatives) return alternatives.flatMap((one) => placesOf(document, one, name, depth));
  const own = { name, schema, holding: (value: unknown) => value };
  switch (typeOf(schema)) {
    case 'array': {
      const { items = {} } = schema;
      const inner = placesOf(document, items, `${name}[]`, depth + 1);
      const kind = inner.some((place) => place.kind === 'object') ? 'list of objects' : 'list';
      const holding = (place: BodyPlace) => (value: unknown) => [place.holding(value)];
      return [{ ...own, kind }, ...inner.map((place) => ({ ...place, holding: holding(place) }))];
    }
    case 'object':
      return [
        { ...own, kind: 'object' },
        ...Object.entries(schema.properties ?? {}).flatMap(([field, property]) =>
          placesOf(document, property, name === '' ? field : `${name}.${field}`, depth + 1).map(
            (place) => ({
              ...place,
              holding: (value: unknown) => ({
                ...exampleOf(document, schema),
                [field]: place.holding(value),
              }),
            }),
          ),
        ),
      ];
    default:
      return [];
  }
}

/** The required fields of an object, or whatever a schema gives as an example of itself. */
export function exampleOf(document: OpenApiDocument, reference: Schema): object {
  const { required = [], properties = {} } = resolve(document, reference);
  return Object.fromEntries(
    required.map((name) => [name, valueOf(document, properties[name] ?? {})]),
  );
}

export function valueOf(document: OpenApiDocument, reference: Schema): unknown {
  const schema = resolve(document, reference);
  const example = schema.examples?.[0] ?? schema.enum?.[0];
  if (example !== undefined) return example;
  const alternative = (schema.oneOf ?? schema.anyOf ?? schema.allOf)?.[0];
  if (alternative) return valueOf(document, alternative);
  switch (typeOf(schema)) {
    case 'array':
      return [valueOf(document, schema.items ?? {})];
    case 'object':
      return exampleOf(document, schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'x';
  }
}
