import type { Service } from './service.js';

export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  example?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema & { example?: string | number };
  example?: string | number;
}

export interface OperationObject {
  tags?: string[];
  security?: Record<string, unknown>[];
  'x-required-scopes'?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> };
  responses: Record<string, ResponseObject>;
}

export interface ResponseObject {
  $ref?: string;
  description: string;
  headers?: object;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

export interface OpenApiDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ResponseObject> };
}

/** An operation of the OpenAPI document, with a request that its schema allows. */
export interface Operation {
  /** Such as `GET /api/v1/kbs/{kb_id}`. */
  readonly name: string;
  readonly method: string;
  /** With its `{parameters}`. */
  readonly path: string;
  /** Whether it asks for the dashboard header. */
  readonly managed: boolean;
  /** The scopes of a key of which one is needed; empty where it takes no key. */
  readonly scopes: readonly string[];
  /** Whether the key is taken from the header Authorization alone. */
  readonly bearerOnly: boolean;
  readonly ownersOnly: boolean;
  readonly requiredParameters: readonly string[];
  /** The required query parameters with their examples, with the question mark, or nothing. */
  readonly search: string;
  /** The required fields, and `api_key`, with their examples; undefined where none is taken. */
  readonly body: Record<string, unknown> | undefined;
}

export async function openApiDocument(service: Pick<Service, 'url'>): Promise<OpenApiDocument> {
  const response = await fetch(`${service.url}/openapi.json`);
  return (await response.json()) as OpenApiDocument;
}

/** Every operation that the running service documents. */
export async function documentedOperations(service: Pick<Service, 'url'>): Promise<Operation[]> {
  const document = await openApiDocument(service);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      managed: operation.security?.some((scheme) => 'dashboard-user' in scheme) === true,
      scopes: operation['x-required-scopes'] ?? [],
      bearerOnly:
        operation.security?.length === 1 &&
        operation.security.some((scheme) => 'api-key' in scheme),
      ownersOnly:
        responseOf(document, operation, '403')?.description.includes('owner_required') === true,
      requiredParameters: (operation.parameters ?? [])
        .filter(({ required }) => required)
        .map(({ name }) => name),
      search: exampleSearch(operation),
      body: exampleBody(document, operation),
    })),
  );
}

function exampleSearch({ parameters = [] }: OperationObject): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const pairs = required.map(({ name, example, schema }): [string, string] => [
    name,
    String(example ?? schema?.example ?? 'example'),
  ]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

function exampleBody(
  document: OpenApiDocument,
  { requestBody }: OperationObject,
): Record<string, unknown> | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema || schema.type === 'array') return undefined;
  const { required = [], properties = {} } = resolve(document, schema);
  return Object.fromEntries(
    [...required, ...('api_key' in properties ? ['api_key'] : [])].map((name) => {
      const field = resolve(document, properties[name] ?? {});
      return [name, field.example ?? field.enum?.[0]];
    }),
  );
}

/** What an operation answers with a status, looked up where it is shared. */
export function responseOf<T extends ResponseObject>(
  { components }: OpenApiDocument,
  { responses }: { responses: Record<string, T> },
  status: string,
): T | undefined {
  const response = responses[status];
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : (components.responses[name] as T | undefined);
}

export function resolve({ components }: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
