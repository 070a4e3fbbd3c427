import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { COUNT_SCHEMA } from './api-fields.js';
import type { ProblemCode } from '../problems/problem.js';

// Extensions carry what the decorators note to responses.ts, which takes them out of the document.
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

/** The scopes of an API key of which one is needed; see scopes.ts. */
export const SCOPES_EXTENSION = 'x-required-scopes';

/** Problems in the form of a protocol that is not ours. */
export interface FormattedProblems {
  /** The name of their schema. */
  readonly schema: string;
  /** By code. */
  readonly statuses: ReadonlyMap<ProblemCode, number>;
}

interface OperationOptions {
  /** Beyond those that follow from the credential, the method and the parameters. */
  readonly problems?: readonly ProblemCode[];
  /** Problems whose status is another here than elsewhere. */
  readonly statuses?: Partial<Record<ProblemCode, number>>;
  /** The class of a row, where the answer is a page of a list. */
  readonly page?: Type;
}

/** Documents what Nest, the handler's comment and its types do not say. */
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

/** Makes a parameter's decorator document something of the whole operation. */
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

/** What a page of a list has beside its rows; see `Page`. */
const PAGE_FIELDS = {
  next_cursor: {
    type: ['string', 'null'],
    description: 'Send it as `cursor` for the next page; null on the last.',
  },
  has_more: { type: 'boolean', example: false },
  total: { ...COUNT_SCHEMA, description: 'Rows on all pages.', example: 1 },
};
