import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = Record<string, unknown>;

interface ObjectSchema extends Schema {
  readonly properties?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** A field, as a place where a schema is used. */
interface Use {
  readonly owner: string;
  readonly fields: Schema;
  readonly name: string;
}

/** The extension by which a schema asks to become a component of that name. */
const NAME_EXTENSION = 'x-name';

/** The length of a reference without its name. */
const REFERENCE_LENGTH = '{"$ref":"#/components/schemas/"}'.length;

/** Objects with fewer fields are repeated rather than shared. */
const MIN_FIELDS = 4;

/** Moves each named schema into components. */
export function nameSchemas(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  const schemas = (components.schemas ??= {}) as Record<string, Schema>;
  for (const part of [schemas, document.paths, components.responses]) {
    Object.assign(schemas, takeNamed(part));
  }
}

/**
 * Moves field schemas that several objects share into components: ids and times, what a key is created
 * with and changed by, and so on.
 */
export function shareSchemas(document: OpenAPIObject): void {
  const { parameters, schemas: all = {} } = (document.components ??= {});
  const schemas = all as Record<string, Schema>;
  const uses = Object.entries(schemas).flatMap(([name, schema]) => findUses(schema, name));
  for (const part of [document.paths, document.webhooks, parameters]) {
    uses.push(...findUses(part, ''));
  }
  for (const [text, places] of Map.groupBy(uses, (use) => JSON.stringify(use.fields[use.name]))) {
    const [first] = places;
    if (!first) continue;
    const schema = first.fields[first.name] as Schema;
    const name = listNames(schema, first).find((one) => !(one in schemas));
    // The names are taken by different schemas, so this one stays inline.
    if (name === undefined) continue;
    const cost = (places.length + 1) * (REFERENCE_LENGTH + name.length);
    if ((places.length - 1) * text.length <= cost) continue;
    schemas[name] = schema;
    for (const { fields, name: field } of places) {
      fields[field] = { $ref: `#/components/schemas/${name}` };
    }
  }
  shareObjects(schemas);
}

/** Makes a schema that has all fields of another, and more, extend it by `allOf`. */
function shareObjects(schemas: Record<string, ObjectSchema>): void {
  const answers = Object.entries(schemas).filter(
    ([, { properties, additionalProperties }]) => properties && additionalProperties === undefined,
  );
  for (const [name, whole] of answers) {
    const base = answers.find(([other, part]) => other !== name && includes(whole, part));
    if (!base) continue;
    const [baseName, part] = base;
    const isOwn = (field: string) => !(field in (part.properties ?? {}));
    const { properties = {}, required = [], ...rest } = whole;
    const own = Object.fromEntries(Object.entries(properties).filter(([field]) => isOwn(field)));
    schemas[name] = {
      allOf: [
        { $ref: `#/components/schemas/${baseName}` },
        { ...rest, required: required.filter(isOwn), properties: own },
      ],
    };
  }
}

/** Whether an object has enough fields, all of which occur identically in another, larger one. */
function includes(whole: ObjectSchema, { properties = {}, required = [] }: ObjectSchema): boolean {
  const fields = Object.entries(properties);
  return (
    fields.length >= MIN_FIELDS &&
    fields.length < Object.keys(whole.properties ?? {}).length &&
    fields.every(
      ([name, field]) =>
        JSON.stringify(field) === JSON.stringify(whole.properties?.[name]) &&
        required.includes(name) === whole.required?.includes(name),
    )
  );
}

/**
 * Replaces named schemas by references.
 *
 * @returns these schemas by their names
 */
function takeNamed(node: unknown): Record<string, Schema> {
  if (typeof node !== 'object' || node === null) return {};
  const fields = node as Record<string, unknown>;
  const named: Record<string, Schema> = {};
  for (const [key, value] of Object.entries(fields)) {
    Object.assign(named, takeNamed(value));
    const { [NAME_EXTENSION]: name, allOf, ...schema } = (value ?? {}) as Schema;
    if (typeof name === 'string') {
      named[name] = schema;
      fields[key] = { $ref: `#/components/schemas/${name}` };
    }
    // Nest produces this for a nullable field.
    if (Array.isArray(allOf) && allOf.length === 1 && Object.keys(schema).length === 0) {
      fields[key] = allOf[0];
    }
  }
  return named;
}

/** Finds all fields of the objects in a part of the document, and other uses of ids and times. */
function findUses(node: unknown, owner: string): Use[] {
  if (Array.isArray(node)) return node.flatMap((item) => findUses(item, owner));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node as Schema).flatMap(([key, value]) => {
    if (key === 'schema' || key === 'items') {
      const use = { owner, fields: node as Schema, name: key };
      return [...(findKind(value as Schema) ? [use] : []), ...findUses(value, owner)];
    }
    if (key !== 'properties') return findUses(value, owner);
    const fields = value as Schema;
    return Object.keys(fields).flatMap((name) => [
      { owner, fields, name },
      ...findUses(fields[name], owner),
    ]);
  });
}

/**
 * Lists candidate names, such as `KbId`, `Instant`, or `ApiKeyScopes` after the first object that has
 * the field.
 */
function listNames(schema: Schema, { owner, name }: Use): string[] {
  const kind = findKind(schema);
  if (kind !== undefined) return [kind];
  const whole = owner.replace(/Dto$/, '');
  return [whole.replace(/^(?:Create|Update|Upload|Put)/, ''), whole].map(
    (one) => one + toPascalCase(name),
  );
}

/** Returns the common name of an id or a time; undefined for anything else. */
function findKind({ type, format, pattern, description }: Schema): string | undefined {
  if (description !== undefined) return undefined;
  const orNull = Array.isArray(type) ? 'OrNull' : '';
  const prefix = /^\^([a-z]+)_/.exec(String(pattern))?.[1];
  if (prefix !== undefined) return `${toPascalCase(prefix)}Id${orNull}`;
  return format === 'date-time' ? `Instant${orNull}` : undefined;
}

const toPascalCase = (name: string) =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
