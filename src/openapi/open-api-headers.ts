import type { OpenAPIObject } from '@nestjs/swagger';
import { COUNT_SCHEMA } from './api-fields.js';
import { operationsOf } from './open-api-operations.js';
import { PROBLEMS } from '../problems/problem.js';

const HEADERS = {
  'X-Request-Id': {
    description:
      'Names this request in the service’s log. One that you send (at most 128 visible ASCII characters) is kept.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'When to repeat the request, in seconds.',
    schema: COUNT_SCHEMA,
  },
  RateLimit: {
    description:
      'What is left (`r`) of the key’s or the address’s limit, and the seconds until it begins anew (`t`).',
    schema: { type: 'string', example: '"per-key";r=5999;t=60' },
  },
  'RateLimit-Policy': {
    description: 'The key’s or the address’s limit: requests (`q`) in a window of seconds (`w`).',
    schema: { type: 'string', example: '"per-key";q=6000;w=60' },
  },
} as const;

/** Where an operation says nothing about its success. */
const SUCCESSES: Record<string, string> = {
  200: 'Done; the answer.',
  201: 'Created.',
  202: 'Accepted; the work goes on in the background.',
};

type HeaderName = keyof typeof HEADERS;

/** Documents what answers are, and what each carries beside its body. */
export function describeHeaders(document: OpenAPIObject): void {
  document.components = { ...document.components, headers: HEADERS };
  for (const { responses } of operationsOf(document)) {
    const limited = String(PROBLEMS.rate_limited[0]) in responses;
    for (const [status, response] of Object.entries(responses)) {
      if (!response || '$ref' in response) continue;
      response.description ||= SUCCESSES[status] ?? '';
      const names: HeaderName[] = [
        'X-Request-Id',
        ...(limited && (status.startsWith('2') || status === '429')
          ? (['RateLimit', 'RateLimit-Policy'] as const)
          : []),
        ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
      ];
      response.headers = {
        ...response.headers,
        ...Object.fromEntries(
          names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
      };
    }
  }
}
