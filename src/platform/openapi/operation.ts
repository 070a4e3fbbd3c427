import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { COUNT_SCHEMA } from './api-fields.js';
import type { ProblemCode } from '../problems/problem.js';

// Extensions pass information from the decorators to responses.ts, which removes them from the
// document.
export const PROBLEM_EXTENSION = 'x-problem-';
export const FORMAT_EXTENSION = 'x-formatted-problems';

/** The most rows that a page of a list can have. */
export const MAX_LIMIT = 100;

/** The security scheme of every operation behind DashboardAuthGuard. */
export const DASHBOARD_SECURITY = 'dashboard-user';

/** The security scheme of every operation behind ApiKeyGuard. */
export const API_KEY_SECURITY = 'api-key';

/** The security scheme of keys of service accounts, on operations behind DashboardAuthGuard. */
export const MANAGEMENT_KEY_SECURITY = 'management-key';

/** The scopes of an API key, one of which is required; see scopes.ts. */
export const SCOPES_EXTENSION = 'x-required-scopes';

/** Problems in the format of a foreign protocol. */
export interface FormattedProblems {
  /** The name of their schema. */
  readonly schema: string;
  /** The statuses by problem code. */
  readonly statuses: ReadonlyMap<ProblemCode, number>;
}

interface OperationOptions {
  /** Problems beyond those implied by the credential, the method and the parameters. */
  readonly problems?: readonly ProblemCode[];
  /** Problems whose status differs from the usual one. */
  readonly statuses?: Partial<Record<ProblemCode, number>>;
  /** The class of a row, if the response is a page of a list. */
  readonly page?: Type;
}

/** Documents what Nest cannot derive from the handler's comment and types. */
export const Operation = ({ problems = [], statuses = {}, page }: OperationOptions) =>
  applyDecorators(
    MayAnswer(...problems),
    ...Object.entries(statuses).map(([code, status]) =>
      ApiExtension(`${PROBLEM_EXTENSION}${code}`, status),
    ),
    ...(page ? [ApiPage(page)] : []),
  );

/** Documents problems that an operation may answer with, or every operation of a controller. */
export const MayAnswer = (...codes: ProblemCode[]) =>
  applyDecorators(...codes.map((code) => ApiExtension(`${PROBLEM_EXTENSION}${code}`, true)));

/** Turns a method decorator into a parameter decorator, so that a parameter can document its operation. */
export const onMethod =
  (decorate: MethodDecorator): ParameterDecorator =>
  (controller, method = '') => {
    const descriptor = Object.getOwnPropertyDescriptor(controller, method);
    if (descriptor) decorate(controller, method, descriptor);
  };

/** A page of a list is one flat object, which code generators turn into one class. */
const ApiPage = (row: Type) =>
  applyDecorators(
    ApiExtraModels(row),
    ApiOkResponse({
      description: 'A page, newest first.',
      schema: {
        ...{ 'x-name': pageName(row) },
        type: 'object',
        required: ['data', ...Object.keys(PAGE_FIELDS)],
        properties: {
          data: { type: 'array', maxItems: MAX_LIMIT, items: { $ref: getSchemaPath(row) } },
          ...PAGE_FIELDS,
        },
      },
    }),
  );

const pageName = ({ name }: Type) => `${name.replace(/Dto$/, '')}Page`;

/** The fields of a page besides its rows; see `Page`. */
const PAGE_FIELDS = {
  next_cursor: {
    type: ['string', 'null'],
    description: 'Send it as `cursor` for the next page; null on the last.',
  },
  has_more: { type: 'boolean', example: false },
  total: { ...COUNT_SCHEMA, description: 'Rows on all pages.', example: 1 },
};
