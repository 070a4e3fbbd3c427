import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = Record<string, unknown>;

const PREFIX = '#/components/schemas/';
const NULL = 'null';
const ALTERNATIVES = ['anyOf', 'oneOf'] as const;

/**
 * Replaces `{"type": "null"}` among alternatives, which code generators cannot read: a type becomes a
 * list of two, and a reference leads to a component `…OrNull`.
 */
export function rewriteNullableSchemas(document: OpenAPIObject): void {
  const schemas = ((document.components ??= {}).schemas ??= {}) as Record<string, Schema>;
  const withNull = new NullableComponents(schemas);
  for (const part of [schemas, document.paths, document.webhooks, document.components]) {
    rewrite(part, withNull);
  }
  withNull.removeReplaced(document);
}

/** Components that may also be null, created when first needed. */
class NullableComponents {
  private readonly replaced = new Set<string>();

  constructor(private readonly schemas: Record<string, Schema>) {}

  /** Returns a schema that also accepts null. */
  accept(schema: Schema): Schema {
    const { $ref, type, enum: values } = schema;
    if (typeof $ref === 'string') return { ...schema, $ref: this.reference($ref) };
    if (Array.isArray(schema['allOf']) && schema['allOf'].length === 1) {
      return { ...schema, allOf: [this.accept(schema['allOf'][0] as Schema)] };
    }
    for (const key of ALTERNATIVES) {
      const all = schema[key];
      if (Array.isArray(all)) {
        const last = this.accept(all.at(-1) as Schema);
        return { ...schema, [key]: [...(all.slice(0, -1) as Schema[]), last] };
      }
    }
    if (type === undefined) throw new Error(`No type to add null to: ${JSON.stringify(schema)}`);
    const types = [type].flat();
    return {
      ...schema,
      type: types.includes(NULL) ? types : [...types, NULL],
      ...(Array.isArray(values) && !values.includes(null) && { enum: [...(values as []), null] }),
    };
  }

  private reference($ref: string): string {
    const name = $ref.slice(PREFIX.length);
    const nullable = `${name}OrNull`;
    const schema = this.schemas[name];
    if (!schema) throw new Error(`No component ${name}`);
    this.replaced.add(name);
    this.schemas[nullable] ??= this.accept(schema);
    return PREFIX + nullable;
  }

  /** Removes components of which only the nullable variant is still referenced. */
  removeReplaced(document: OpenAPIObject): void {
    const text = JSON.stringify(document);
    for (const name of this.replaced) {
      if (!text.includes(`"${PREFIX}${name}"`)) Reflect.deleteProperty(this.schemas, name);
    }
  }
}

function rewrite(node: unknown, nullable: NullableComponents): void {
  if (typeof node !== 'object' || node === null) return;
  const fields = node as Schema;
  for (const [key, value] of Object.entries(fields)) {
    rewrite(value, nullable);
    if (isSchema(value)) fields[key] = rewriteSchema(value, nullable);
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function rewriteSchema(schema: Schema, nullable: NullableComponents): Schema {
  for (const key of ALTERNATIVES) {
    const all = schema[key];
    if (!Array.isArray(all)) continue;
    const others = all.filter((one) => (one as Schema)['type'] !== NULL) as Schema[];
    if (others.length === all.length) continue;
    const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));
    const [only, ...more] = others;
    if (!only || more.length > 0) return { ...rest, ...nullable.accept({ [key]: others }) };
    // A reference with sibling fields is put into an `allOf` of one, as in OpenAPI 3.0.
    const one = nullable.accept(only);
    return Object.keys(rest).length > 0 && '$ref' in one
      ? { ...rest, allOf: [one] }
      : { ...rest, ...one };
  }
  return schema;
}
