import type { OpenAPIObject } from '@nestjs/swagger';
import { type ProblemCode, PROBLEMS } from '../problems/problem.js';
import { COUNT_SCHEMA } from './api-fields.js';
import { type Operation, listOperations } from './list-operations.js';
import { describeProblems } from './problem-responses.js';
import { PROBLEM_EXTENSION } from './operation.js';

/** The headers of error responses. The introduction describes those of other responses. */
const HEADERS = {
  'X-Request-Id': {
    description:
      'Names this request in the service’s log. One that you send (at most 128 visible ASCII characters) is kept.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'With 429 and 503: when to repeat the request, in seconds.',
    schema: COUNT_SCHEMA,
  },
} as const;

/** The default descriptions of successful responses. */
const SUCCESSES: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on in the background.',
};

/** Problems of every operation whose method can have a body, even if it reads none. */
const BODY_PROBLEMS = ['validation_failed', 'payload_too_large', 'unsupported_media_type'] as const;

/** Documents problems and headers of each response as components. */
export function describeResponses(document: OpenAPIObject): void {
  const operations = listOperations(document).map(
    ({ method, operation }) => [operation, listProblems(method, operation)] as const,
  );
  for (const [operation] of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!response || '$ref' in response) continue;
      response.description ||= SUCCESSES[status] ?? '';
    }
  }
  const responses = describeProblems(operations);
  for (const [operation] of operations) removeExtensions(operation);
  Object.assign(responses, shareSuccesses(operations.map(([operation]) => operation)));
  document.components = { ...document.components, headers: HEADERS, responses };
}

/**
 * Moves successful responses that several operations share into components.
 *
 * @returns the shared responses, by the name of their object
 */
function shareSuccesses(operations: readonly Operation[]): Operation['responses'] {
  const shared: Operation['responses'] = {};
  const uses = operations.flatMap(({ responses }) =>
    Object.keys(responses).map((status) => ({ responses, status })),
  );
  const byText = Map.groupBy(uses, ({ responses, status }) => JSON.stringify(responses[status]));
  for (const [text, places] of byText) {
    const [, row] = /\/schemas\/(\w+)Dto"[^"]*$/.exec(text) ?? [];
    if (row === undefined) continue;
    const name = text.includes('"next_cursor"') ? `${row}Page` : row;
    const reference = JSON.stringify({ $ref: `#/components/responses/${name}` });
    const cost = (places.length + 1) * reference.length;
    if (name in shared || (places.length - 1) * text.length <= cost) continue;
    shared[name] = places[0]?.responses[places[0].status];
    for (const { responses, status } of places) {
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return shared;
}

function listProblems(method: string, operation: Operation): ProblemCode[] {
  const { parameters = [] } = operation;
  const has = (place: string, name?: string) =>
    parameters.some(
      (one) => 'in' in one && one.in === place && (name === undefined || one.name === name),
    );
  const codes = new Set<string>([
    ...Object.keys(operation)
      .filter((key) => key.startsWith(PROBLEM_EXTENSION))
      .map((key) => key.slice(PROBLEM_EXTENSION.length)),
    ...(method === 'get' ? [] : BODY_PROBLEMS),
    ...(has('query') ? ['validation_failed'] : []),
    ...(has('path') ? ['not_found'] : []),
    ...(has('header', 'Idempotency-Key') ? ['idempotency_conflict'] : []),
    'internal_error',
  ]);
  // In the order of the table, so that equal sets of problems give equal responses.
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

function removeExtensions(operation: Operation): void {
  for (const key of Object.keys(operation)) {
    if (key.startsWith('x-')) Reflect.deleteProperty(operation, key);
  }
}
