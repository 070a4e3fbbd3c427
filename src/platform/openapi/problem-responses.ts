import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { type ProblemCode, PROBLEMS } from '../problems/problem.js';
import { FORMAT_EXTENSION, type FormattedProblems } from './operation.js';
import type { Operation } from './operations-of.js';

type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const PROBLEM = {
  mediaType: 'application/problem+json',
  schema: { $ref: getSchemaPath(ProblemDto) },
  response: 'Problem',
};

/**
 * Documents the problems of an operation as its `default` response, whose description lists their
 * codes by status. One schema says what they look like, and the document's introduction what to do.
 */
export function describeProblems(
  operation: Operation,
  codes: readonly ProblemCode[],
  components: Responses,
): void {
  const format = operation[FORMAT_EXTENSION] as FormattedProblems | undefined;
  const { mediaType, schema, response } = format ? formatted(format) : PROBLEM;
  const byStatus = Map.groupBy(codes, (code) => format?.statuses.get(code) ?? PROBLEMS[code][0]);
  components[response] ??= {
    description: 'Refused.',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      'Retry-After': { $ref: '#/components/headers/Retry-After' },
    },
    content: { [mediaType]: { schema } },
  };
  // OpenAPI 3.1 lets the description stand beside the reference, in its place.
  const reference = {
    $ref: `#/components/responses/${response}`,
    description: [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => `- ${status} ${group.map((code) => `\`${code}\``).join(', ')}`)
      .join('\n'),
  };
  operation.responses['default'] = reference;
  // A status that the operation also answers in a form of its own is not covered by the default.
  for (const status of byStatus.keys()) {
    const { content } = (operation.responses[status] ?? {}) as Partial<Response>;
    if (content) content[mediaType] = { schema };
  }
}

const formatted = ({ schema }: FormattedProblems) => ({
  mediaType: 'application/json',
  schema: { $ref: getSchemaPath(schema) },
  response: schema.replace(/Dto$/, ''),
});
