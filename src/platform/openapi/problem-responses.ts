import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { type ProblemCode, PROBLEMS } from '../problems/problem.js';
import { explanationOf } from '../problems/remediation.js';
import { FORMAT_EXTENSION, type FormattedProblems } from './operation.js';
import type { Operation } from './operations-of.js';

export type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Content = NonNullable<Response['content']>;
export type SharedResponses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

/** The response of an operation to problems of one status, and its name among the shared ones. */
export interface ProblemResponse {
  readonly status: string;
  readonly name: string;
  readonly response: Response;
}

/** Groups the problems of an operation by status, in the form in which it answers them. */
export function problemResponses(operation: Operation, codes: ProblemCode[]): ProblemResponse[] {
  const format = operation[FORMAT_EXTENSION] as FormattedProblems | undefined;
  const statusOf = (code: ProblemCode) =>
    String(format?.answers[code]?.status ?? PROBLEMS[code][0]);
  return [...Map.groupBy(codes, statusOf)].map(([status, group]) => {
    const declared = contentOf(operation.responses[status]);
    // An operation that also answers in another form has a response of its own.
    const form = format?.schema ?? (declared && operation.operationId);
    return {
      status,
      name: [...(form === undefined ? [] : [form]), ...group].join('-'),
      response: {
        description: group.map((code) => `\`${code}\`: ${explanationOf(code)}`).join('\n\n'),
        content: { ...declared, ...(format ? contentIn(format, group) : problemContent(group)) },
      },
    };
  });
}

const contentOf = (response: Operation['responses'][string]): Content | undefined =>
  response && 'content' in response ? response.content : undefined;

const problemContent = (codes: ProblemCode[]): Content => ({
  'application/problem+json': {
    schema: {
      allOf: [
        { $ref: getSchemaPath(ProblemDto) },
        { type: 'object', properties: { code: { type: 'string', enum: codes } } },
      ],
    },
    examples: Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    ),
  },
});

const contentIn = ({ schema, answers }: FormattedProblems, codes: ProblemCode[]): Content => ({
  'application/json': {
    schema: { $ref: getSchemaPath(schema) },
    examples: Object.fromEntries(
      codes.map((code) => [code, { summary: code, value: answers[code]?.body }]),
    ),
  },
});
