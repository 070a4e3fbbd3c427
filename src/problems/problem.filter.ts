import {
  ArgumentsHost,
  Catch,
  ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { causeOf, isDatabaseUnavailable } from '../database/database-error.js';
import { ClientLeftError } from '../http/client-left.js';
import { Problem, type ProblemCode } from './problem.js';

/** Turns whatever was thrown into problem details; what is not meant for the client is logged only. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  /** @param unrouted what to answer where no route takes the request */
  constructor(private readonly unrouted: (request: FastifyRequest) => Problem) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    if (exception instanceof ClientLeftError) return;
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem =
      exception instanceof NotFoundException ? this.unrouted(request) : toProblem(exception);
    if (problem.getStatus() >= 500) this.logger.error(exception);
    sendProblem(request, reply, problem);
  }
}

/** A request, with the code of the problem that answered it. */
export type AnsweredRequest = FastifyRequest & { problemCode?: ProblemCode };

export function sendProblem(request: AnsweredRequest, reply: FastifyReply, problem: Problem): void {
  request.problemCode = problem.code;
  void reply
    .status(problem.getStatus())
    .headers(problem.headers)
    .type('application/problem+json; charset=utf-8')
    // Serialized here: the reply must not depend on a route's response schema.
    .send(JSON.stringify(problem.toBody(request.id)));
}

export function toProblem(exception: unknown): Problem {
  if (exception instanceof Problem) return exception;
  if (isDatabaseUnavailable(causeOf(exception))) return new Problem('database_unavailable');
  // A path that cannot be decoded names nothing.
  if (exception instanceof Error && 'code' in exception && exception.code === 'FST_ERR_BAD_URL') {
    return new Problem('not_found');
  }
  switch (statusOf(exception)) {
    case 400:
      return new Problem('validation_failed', { detail: 'The body is not well-formed JSON.' });
    // Fastify's, for a path segment longer than any id.
    case 414:
      return new Problem('not_found');
    case 413:
      return new Problem('payload_too_large');
    case 415:
      return new Problem('unsupported_media_type');
    default:
      return new Problem('internal_error');
  }
}

/** The status of Nest's own exceptions and of Fastify's errors. */
function statusOf(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  if (exception instanceof Error && 'statusCode' in exception) return Number(exception.statusCode);
  return undefined;
}
