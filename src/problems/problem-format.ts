import type { FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../http/add-route-config.js';
import type { Problem } from './problem.js';

/** How a protocol that is not ours says what is wrong. */
export type ProblemFormat = (
  problem: Problem,
  requestId: string,
) => { readonly status: number; readonly body: object };

/** Answers the problems of a route in the form of its protocol, instead of RFC 9457's. */
export const FormatsProblems = (formatProblem: ProblemFormat) => AddRouteConfig({ formatProblem });

/** @returns undefined for a route that answers problem details */
export const problemFormatOf = ({ routeOptions }: FastifyRequest): ProblemFormat | undefined =>
  (routeOptions.config as { formatProblem?: ProblemFormat }).formatProblem;
