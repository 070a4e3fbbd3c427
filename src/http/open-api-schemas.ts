import type { OpenAPIObject } from '@nestjs/swagger';

/** Settles what neither the decorators nor the plugin can say, for readers and generated clients. */
export function settleSchemas({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    if ('$ref' in schema || !schema.properties) continue;
    for (const field of Object.values(schema.properties)) {
      if ('$ref' in field) continue;
      // The order of a union of literals is the compiler's, and may change with any build.
      field.enum?.sort();
      // What is tried out without a change must work, and "string" is no conversation.
      if (field.nullable && field.example === undefined && field.default === undefined) {
        field.example = null;
      }
    }
    const required = (name: string) => Number(schema.required?.includes(name) ?? false);
    schema.properties = Object.fromEntries(
      Object.entries(schema.properties).sort(([a], [b]) => required(b) - required(a)),
    );
  }
}
