import type { Service } from './service.js';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
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
  anyOf?: Schema[];
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  minProperties?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
  example?: string | number;
}

export interface OperationObject {
  operationId: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  /** Each, or where it stands among the components. */
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> };
  responses: Record<string, ResponseObject>;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: object;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, ResponseObject>;
    parameters: Record<string, Parameter>;
  };
}

type Protocol = 'own' | 'MCP' | 'OpenAI' | 'Dify' | 'Open WebUI';

/** By the beginning of the path. */
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  ...{ mcp: 'MCP', v1: 'OpenAI', dify: 'Dify', 'open-webui': 'Open WebUI' },
};

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
  /** The scope of a service account’s key that opens it; undefined where none does. */
  readonly managementScope: string | undefined;
  /** Whether the key is taken from the header Authorization alone. */
  readonly bearerOnly: boolean;
  /** The protocol whose form requests and refusals have. */
  readonly protocol: Protocol;
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
      scopes: (operation.security ?? []).flatMap((scheme) => scheme['api-key'] ?? []),
      managementScope: operation.security?.flatMap((scheme) => scheme['management-key'] ?? [])[0],
      bearerOnly:
        operation.security?.some((scheme) => 'api-key' in scheme) === true &&
        operation.security.every((scheme) => 'api-key' in scheme),
      protocol: PROTOCOLS[path.split('/')[1] ?? ''] ?? 'own',
      ownersOnly: problemsOf(document, operation).some((group) => group.includes('owner_required')),
      requiredParameters: parametersOf(document, operation)
        .filter(({ required }) => required)
        .map(({ name }) => name),
      search: exampleSearch(parametersOf(document, operation)),
      body: exampleBody(document, operation),
    })),
  );
}

/** With those that stand among the components. */
export const parametersOf = (
  { components }: OpenApiDocument,
  { parameters = [] }: OperationObject,
): Parameter[] =>
  parameters.flatMap((one) =>
    '$ref' in one ? (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? []) : one,
  );

function exampleSearch(parameters: readonly Parameter[]): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const pairs = required.map(({ name, example, schema }): [string, string] => [
    name,
    String(example ?? (schema?.examples?.[0] as string | undefined) ?? 'example'),
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
      return [name, field.examples?.[0] ?? field.enum?.[0]];
    }),
  );
}

/** What an operation answers with a status: that of its own, or what all its refusals share. */
export function responseOf(
  { components }: OpenApiDocument,
  { responses }: Pick<OperationObject, 'responses'>,
  status: string,
): ResponseObject | undefined {
  const response = responses[status] ?? (/^[45]/.test(status) ? responses['default'] : undefined);
  const name = response?.$ref?.split('/').at(-1);
  return response && name !== undefined ? { ...components.responses[name], ...response } : response;
}

/** What the problems of an operation are, its own and those it shares: `- 409 \`a\`, \`b\``, by line. */
export function problemsOf(
  { components }: OpenApiDocument,
  { responses }: Pick<OperationObject, 'responses'>,
): string[] {
  const { $ref = '', description = '' } = responses['default'] ?? {};
  const shared = components.responses[$ref.split('/').at(-1) ?? ''];
  return [...description.split('\n'), ...(shared?.description?.split('\n') ?? [])];
}

/** Whether an operation lists a code under a status. */
export function listsProblem(
  document: OpenApiDocument,
  operation: Pick<OperationObject, 'responses'>,
  status: number,
  code: string,
): boolean {
  return problemsOf(document, operation).some(
    (group) => group.startsWith(`- ${status} `) && group.includes(`\`${code}\``),
  );
}

/** The type of a schema, beside null. */
export const typeOf = ({ type }: Schema): string | undefined =>
  [type].flat().find((one) => one !== 'null');

/** Whether a schema takes null beside something else. */
export const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || anyOf.some((one) => one.type === 'null');

export function resolve({ components }: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
