import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './open-api-operations.js';

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/**
 * Moves what refusals say into `components.responses`, where each is said once, under the codes of
 * its problems. One that differs in more than its codes stays where it is.
 */
export function shareProblems(document: OpenAPIObject): void {
  const shared: Responses = {};
  for (const { responses } of operationsOf(document)) {
    for (const [status, response] of Object.entries(responses)) {
      if (!response || '$ref' in response) continue;
      const examples = response.content?.['application/problem+json']?.examples;
      if (!examples) continue;
      const name = Object.keys(examples).join('-');
      shared[name] ??= response;
      if (isDeepStrictEqual(shared[name], response)) {
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
  }
  document.components = { ...document.components, responses: shared };
}
