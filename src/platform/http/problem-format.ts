import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from './nest-metadata.js';
import type { RouteTable } from './route-table.js';
import { FORMAT_EXTENSION, type FormattedProblems } from '../openapi/operation.js';
import { Problem, type ProblemCode, PROBLEMS } from '../problems/problem.js';

/** How a protocol that is not ours says what is wrong. */
type ProblemFormat = (
  problem: Problem,
  requestId: string,
) => { readonly status: number; readonly body: object };

/**
 * Answers the problems of a route in the form of its protocol, instead of RFC 9457's.
 *
 * @param dto documents the form
 */
export const FormatsProblems = (formatProblem: ProblemFormat, dto: Type) => {
  const formatted: FormattedProblems = {
    schema: dto.name,
    statuses: new Map(
      (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [
        code,
        formatProblem(new Problem(code), '').status,
      ]),
    ),
  };
  return applyDecorators(
    AddRouteConfig({ formatProblem }),
    ApiExtraModels(dto),
    ApiExtension(FORMAT_EXTENSION, formatted),
  );
};

/**
 * The form of a request's problems; where there is no such route, that of the routes with the same first segment.
 *
 * @returns undefined for problem details
 */
export function findProblemFormat(
  { routeOptions, url }: FastifyRequest,
  routes: RouteTable,
): ProblemFormat | undefined {
  const own = getFormat(routeOptions.config);
  if (own || routeOptions.url !== undefined) return own;
  return routes
    .findSiblings(url)
    .map(({ config }) => getFormat(config))
    .find((format) => format !== undefined);
}

const getFormat = (config: object | undefined) =>
  (config as { formatProblem?: ProblemFormat } | undefined)?.formatProblem;
