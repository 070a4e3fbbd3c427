import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { type ProblemCode, PROBLEMS } from '../problems/problem.js';
import {
  API_KEY_SECURITY,
  DASHBOARD_SECURITY,
  FORMAT_EXTENSION,
  type FormattedProblems,
  MANAGEMENT_KEY_SECURITY,
  PROBLEM_EXTENSION,
} from './operation.js';
import type { Operation } from './list-operations.js';

type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const PROBLEM = { mediaType: 'application/problem+json', schema: ProblemDto.name };

const CREDENTIALS = [
  [MANAGEMENT_KEY_SECURITY, 'Management'],
  [DASHBOARD_SECURITY, 'Dashboard'],
  [API_KEY_SECURITY, 'ApiKey'],
] as const;

/**
 * Names the problem response that an operation shares with others: those with the same credential, with
 * or without a body, open to any or only some members; for foreign protocols, those with the same
 * format.
 */
function nameResponse(
  { security = [] }: Operation,
  codes: readonly ProblemCode[],
  format?: FormattedProblems,
) {
  if (format) return format.schema.replace(/Dto$/, '');
  const [, who] = CREDENTIALS.find(([name]) => security.some((scheme) => name in scheme)) ?? [
    '',
    '',
  ];
  if (!codes.includes('payload_too_large')) return `${who}Problem`;
  return `${who}${codes.includes('insufficient_role') ? 'Change' : 'Body'}Problem`;
}

/**
 * Documents the problems of operations as their `default` responses, whose descriptions list the codes
 * by status. Codes common to all operations of a kind are listed once, in their shared response. One
 * schema describes problems; docs/errors.md says what to do about them.
 *
 * @returns the shared responses, by name
 */
export function describeProblems(
  operations: readonly (readonly [Operation, readonly ProblemCode[]])[],
): Responses {
  const components: Responses = {};
  const byName = Map.groupBy(operations, ([operation, codes]) =>
    nameResponse(operation, codes, getFormat(operation)),
  );
  for (const [name, group] of byName) {
    const [[first] = []] = group;
    const format = getFormat(first);
    const { mediaType, schema } = format
      ? { mediaType: 'application/json', schema: format.schema }
      : PROBLEM;
    const content = { [mediaType]: { schema: { $ref: getSchemaPath(schema) } } };
    const shared = group
      .map(([, codes]) => codes)
      .reduce((all, codes) => all.filter((code) => codes.includes(code)));
    components[name] = {
      description: `Refused. Each of these operations may answer:\n${listCodes(shared, first)}`,
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        'Retry-After': { $ref: '#/components/headers/Retry-After' },
      },
      content,
    };
    for (const [operation, codes] of group) {
      const own = listCodes(
        codes.filter((code) => !shared.includes(code)),
        operation,
      );
      // In OpenAPI 3.1 a description beside a reference overrides that of the target.
      operation.responses['default'] = {
        $ref: `#/components/responses/${name}`,
        ...(own && { description: own }),
      };
      // The default does not cover a status for which the operation also has its own response.
      for (const code of codes) {
        const { content: ownForm } = (operation.responses[getStatus(code, operation)] ??
          {}) as Partial<Response>;
        if (ownForm) Object.assign(ownForm, content);
      }
    }
  }
  return components;
}

const getFormat = (operation?: Operation) =>
  operation?.[FORMAT_EXTENSION] as FormattedProblems | undefined;

function getStatus(code: ProblemCode, operation?: Operation): number {
  const own = operation?.[`${PROBLEM_EXTENSION}${code}`];
  if (typeof own === 'number') return own;
  return getFormat(operation)?.statuses.get(code) ?? PROBLEMS[code][0];
}

/** Lists codes by status, as `- 409 \`a\`, \`b\``. */
const listCodes = (codes: readonly ProblemCode[], operation?: Operation) =>
  [...Map.groupBy(codes, (code) => getStatus(code, operation))]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => `- ${status} ${group.map((code) => `\`${code}\``).join(', ')}`)
    .join('\n');
