import { applyDecorators, Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { COUNT_SCHEMA } from './api-fields.js';
import { MAX_LIMIT } from '../http/page.dto.js';
import { meaningAndCure } from '../problems/remediation.js';
import { ProblemDto } from '../problems/problem.dto.js';
import { exampleRefs } from '../problems/problem-examples.js';
import { ProblemCode, PROBLEMS } from '../problems/problem.js';

/** What every operation whose method comes with a body may answer, also one that reads none. */
export const BODY_PROBLEMS = [
  'validation_failed',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies ProblemCode[];

/** Documents the problems an operation may answer with, one response per status. */
export function ApiProblems(...codes: ProblemCode[]) {
  // In one order, so that operations with the same problems have the same responses.
  const all = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
    (code) => code === 'internal_error' || codes.includes(code),
  );
  const statuses = new Set(all.map((code) => PROBLEMS[code][0]));
  const byStatus = [...statuses].map(
    (status) => [status, all.filter((code) => PROBLEMS[code][0] === status)] as const,
  );
  return applyDecorators(
    ApiExtraModels(ProblemDto),
    ...byStatus.map(([status, group]) =>
      ApiResponse({
        status,
        description: group.map((code) => `\`${code}\`: ${meaningAndCure(code)}`).join('\n\n'),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: getSchemaPath(ProblemDto) },
                { type: 'object', properties: { code: { type: 'string', enum: group } } },
              ],
            },
            examples: exampleRefs(group),
          },
        },
      }),
    ),
  );
}

/** What every operation behind DashboardAuthGuard may answer. */
export const ApiDashboardProblems = (...codes: ProblemCode[]) =>
  ApiProblems(
    'invalid_user_id',
    'dashboard_authentication_required',
    'host_not_allowed',
    'database_unavailable',
    'identity_provider_unavailable',
    ...codes,
  );

/** Documents a page of `row`. */
export const ApiPage = (row: Type) =>
  applyDecorators(
    ApiExtraModels(row),
    ApiOkResponse({
      description: 'A page, newest first.',
      schema: {
        type: 'object',
        required: ['data', 'next_cursor', 'has_more', 'total'],
        properties: {
          data: { type: 'array', maxItems: MAX_LIMIT, items: { $ref: getSchemaPath(row) } },
          next_cursor: {
            type: 'string',
            nullable: true,
            description: 'Send it as `cursor` for the next page; null on the last.',
          },
          has_more: { type: 'boolean', example: false },
          total: { ...COUNT_SCHEMA, description: 'Rows on all pages.', example: 1 },
        },
      },
    }),
  );

/** Documents the header that makes a creating request repeatable. */
export const ApiIdempotencyKey = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', maxLength: 255 },
    description:
      'Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice.',
  });
