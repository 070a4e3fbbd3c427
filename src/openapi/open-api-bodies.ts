import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './open-api-operations.js';

/**
 * Gives every JSON body an example, unless it has one, which Swagger UI prefills: the fields that
 * have an example of their own, and the required ones. Left to itself it would send every field that there is, and so
 * a filter that no document meets.
 */
export function exemplifyBodies(document: OpenAPIObject): void {
  for (const { requestBody } of operationsOf(document)) {
    const media =
      requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
    const name = media?.schema && '$ref' in media.schema ? media.schema.$ref.split('/').at(-1) : '';
    const schema = document.components?.schemas?.[name ?? ''];
    if (!media || media.example !== undefined || !schema || '$ref' in schema) continue;
    const fields = Object.entries(schema.properties ?? {}).flatMap(([field, about]) => {
      if ('$ref' in about) return [];
      const isRequired = schema.required?.includes(field) === true;
      const example: unknown = about.example ?? (isRequired ? about.enum?.[0] : undefined);
      return example === undefined || (example === null && !isRequired)
        ? []
        : [[field, example] as const];
    });
    media.example = Object.fromEntries(fields);
  }
}
