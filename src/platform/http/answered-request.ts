import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../problems/problem.js';

/** A request with information about its response. */
export type AnsweredRequest = FastifyRequest & {
  /** The code of the problem that was sent. */
  problemCode?: ProblemCode;
  /** The owner of a valid credential that was refused: the id of an API key or a service account. */
  provedActor?: string;
};
