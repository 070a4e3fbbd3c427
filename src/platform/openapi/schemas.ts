import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, listOperations } from './list-operations.js';

type Schema = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;

type Content = Exclude<NonNullable<Operation['requestBody']>, { $ref: string }>['content'];

/** Adds to schemas what neither decorators nor the plugin provide, for readers and generated clients. */
export function normalizeSchemas({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('$ref' in schema || !schema.properties) continue;
    const fields = Object.values(schema.properties).flatMap((field) =>
      '$ref' in field ? [] : [field],
    );
    const isForm = fields.some(({ format }) => format === 'binary');
    for (const field of fields) {
      // The compiler may order a union of literals differently in each build.
      field.enum?.sort(byTextNullLast);
      // Swagger UI would show "string" for a nullable field. A form cannot send null, so a field
      // without an example is left empty there.
      if (
        !isForm &&
        isNullable(field) &&
        field.example === undefined &&
        field.default === undefined
      ) {
        field.example = null;
      }
    }
    const required = (name: string) => Number(schema.required?.includes(name) ?? false);
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties)
        .sort(([a], [b]) => required(b) - required(a))
        // Decorators and the plugin write the same fields in different orders.
        .map(([name, field]) => [name, 'type' in field ? { type: field.type, ...field } : field]),
    );
  }
}

const byTextNullLast = (a: unknown, b: unknown) =>
  Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1);

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null');

/** Documents that unknown fields are rejected, and adds an example to each JSON body. */
export function describeBodies(document: OpenAPIObject): void {
  for (const { operation } of listOperations(document)) {
    const { requestBody } = operation;
    if (!requestBody || !('content' in requestBody)) continue;
    separateForm(requestBody.content, document);
    for (const [type, media] of Object.entries(requestBody.content)) {
      const name =
        media.schema && '$ref' in media.schema ? media.schema.$ref.split('/').at(-1) : '';
      const schema = document.components?.schemas?.[name ?? ''];
      if (!schema || '$ref' in schema) continue;
      schema.additionalProperties = false;
      if (type !== 'application/json') continue;
      media.example ??= buildExample(schema);
      // Swagger UI shows this example of the body.
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const isRequired = schema.required?.includes(name) === true;
        if (!isRequired && 'example' in field && field.example === null) delete field.example;
      }
    }
  }
}

/**
 * Declares that a JSON body is not the alternative form. Generators for Java omit a schema referenced
 * only by a form, and then fail without it.
 */
function separateForm(content: Content, { components }: OpenAPIObject): void {
  const [json, form] = Object.values(content).map(({ schema }) => schema);
  if (!json || !form || !('$ref' in json && '$ref' in form)) return;
  const schema = components?.schemas?.[json.$ref.split('/').at(-1) ?? ''];
  if (schema) Object.assign(schema, { not: form });
}

/**
 * Builds an example of the required fields and those with an example, for Swagger UI to prefill.
 * Otherwise it would send every field, and so a filter that no document matches.
 */
function buildExample(schema: Schema): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if ('$ref' in field) return [];
    const isRequired = schema.required?.includes(name) === true;
    const example: unknown = field.example ?? (isRequired ? field.enum?.[0] : undefined);
    return example === undefined || (example === null && !isRequired) ? [] : [[name, example]];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}
