import type { OpenAPIObject } from '@nestjs/swagger';

/** Settles what neither the decorators nor the plugin can say, for readers and generated clients. */
export function settleSchemas({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('$ref' in schema || !schema.properties) continue;
    const isForm = Object.values(schema.properties).some(
      (field) => !('$ref' in field) && field.format === 'binary',
    );
    for (const field of Object.values(schema.properties)) {
      if ('$ref' in field) continue;
      // The order of a union of literals is the compiler's, and may change with any build.
      field.enum?.sort();
      // "string" is no conversation. A form has no null: what has no example is left empty there.
      if (!isForm && field.nullable && field.example === undefined && field.default === undefined) {
        field.example = null;
      }
    }
    const required = (name: string) => Number(schema.required?.includes(name) ?? false);
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).sort(([a], [b]) => required(b) - required(a)),
    );
  }
}
