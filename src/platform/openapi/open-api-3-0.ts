import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

/** Objects whose keys are chosen by people, so that a key may be `type`. */
const MAPS = new Set(['properties', 'schemas', 'responses', 'headers', 'parameters', 'content']);
/** Fields whose values are data, not part of the document's structure. */
const VALUES = new Set(['default', 'enum', 'example', 'examples', 'value']);
/** Keywords of JSON Schema that OpenAPI 3.0 does not have. */
const UNKNOWN = ['propertyNames'];

/**
 * Converts the document to OpenAPI 3.0, for generators that do not support 3.1. Webhooks and patterns
 * of property names, which 3.0 cannot express, are omitted.
 */
export function toOpenApi30(document: OpenAPIObject): OpenAPIObject {
  const { webhooks: _, ...rest } = document;
  const converted = convert(rest, false, document) as OpenAPIObject;
  converted.openapi = '3.0.3';
  removeUnused(converted);
  return converted;
}

/** Removes the components that only webhooks referred to. */
function removeUnused(document: OpenAPIObject): void {
  const { securitySchemes: _, ...kinds } = document.components ?? {};
  for (;;) {
    const text = JSON.stringify(document);
    const unused = Object.entries(kinds).flatMap(([kind, components]) =>
      Object.keys(components)
        .filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
        .map((name) => [components, name] as const),
    );
    if (unused.length === 0) return;
    for (const [components, name] of unused) Reflect.deleteProperty(components, name);
  }
}

function convert(value: unknown, isMap: boolean, document: OpenAPIObject): unknown {
  if (Array.isArray(value)) return value.map((item) => convert(item, false, document));
  if (typeof value !== 'object' || value === null) return value;
  const node = isMap ? (value as Node) : convertNode(value as Node, document);
  return Object.fromEntries(
    Object.entries(node).map(([name, field]) => [
      name,
      !isMap && VALUES.has(name) ? field : convert(field, !isMap && MAPS.has(name), document),
    ]),
  );
}

function convertNode(node: Node, document: OpenAPIObject): Node {
  const { $ref } = node;
  // In 3.0 a reference may have no sibling fields.
  if (typeof $ref === 'string') {
    const { $ref: _, ...beside } = node;
    return Object.keys(beside).length === 0
      ? node
      : { ...(structuredClone(resolve($ref, document)) as Node), ...beside };
  }
  const converted: Node = { ...node };
  for (const name of UNKNOWN) Reflect.deleteProperty(converted, name);
  if (Array.isArray(node['type'])) {
    const types = (node['type'] as string[]).filter((type) => type !== 'null');
    if (types.length !== 1) throw new Error(`OpenAPI 3.0 has no list of types: ${types.join()}`);
    Object.assign(converted, { type: types[0], nullable: true });
  }
  if (Array.isArray(node['examples'])) {
    converted['example'] = node['examples'][0];
    Reflect.deleteProperty(converted, 'examples');
  }
  return converted;
}

/** Resolves a reference. */
const resolve = ($ref: string, document: OpenAPIObject): unknown =>
  $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node)[name], document);
