import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from './nest-metadata.js';
import type { RouteTable } from './route-table.js';
import { FORMAT_EXTENSION, type FormattedProblems } from '../openapi/operation.js';
import { Problem, type ProblemCode, PROBLEMS } from '../problems/problem.js';

/** Formats a problem for a foreign protocol. */
type ProblemFormat = (
  problem: Problem,
  requestId: string,
) => { readonly status: number; readonly body: object };

/**
 * Sends the problems of a route in the format of its protocol instead of RFC 9457.
 *
 * @param dto documents the format
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
 * Finds the problem format of a request. For an unknown path it is that of the routes with the same
 * first segment.
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
