import type { OpenAPIObject } from '@nestjs/swagger';

/** Objects whose keys are chosen by people, so that a key may be `example`. */
const MAPS = new Set(['properties', 'schemas', 'headers', 'examples']);
/** Fields whose values are data, not part of the document's structure. */
const VALUES = new Set(['default', 'enum', 'const', 'value', 'example']);

/**
 * Turns the `example` of schemas, which OpenAPI 3.1 deprecates and Nest's decorators write, into
 * JSON Schema's `examples`. Parameters and media types keep theirs.
 */
export function moveExamples(document: OpenAPIObject): void {
  visit(document, false);
}

function visit(node: unknown, isMap: boolean): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, false);
  } else if (typeof node === 'object' && node !== null) {
    const fields = node as Record<string, unknown>;
    if (!isMap && 'example' in fields && !('schema' in fields)) {
      fields['examples'] = [fields['example']];
      delete fields['example'];
    }
    for (const [name, value] of Object.entries(fields)) {
      if (isMap || !(VALUES.has(name) || (name === 'examples' && Array.isArray(value)))) {
        visit(value, !isMap && MAPS.has(name));
      }
    }
  }
}
