import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../http/add-route-config.js';
import { FORMAT_EXTENSION, type FormattedProblems } from '../openapi/operation.js';
import { EXAMPLE_REQUEST_ID, exampleProblem } from './problem-examples.js';
import { type Problem, type ProblemCode, PROBLEMS } from './problem.js';

/** How a protocol that is not ours says what is wrong. */
export type ProblemFormat = (
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
    answers: Object.fromEntries(
      (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => [
        code,
        formatProblem(exampleProblem(code), EXAMPLE_REQUEST_ID),
      ]),
    ),
  };
  return applyDecorators(
    AddRouteConfig({ formatProblem }),
    ApiExtraModels(dto),
    ApiExtension(FORMAT_EXTENSION, formatted),
  );
};

/** @returns undefined for a route that answers problem details */
export const problemFormatOf = ({ routeOptions }: FastifyRequest): ProblemFormat | undefined =>
  (routeOptions.config as { formatProblem?: ProblemFormat }).formatProblem;
