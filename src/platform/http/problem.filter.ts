import {
  ArgumentsHost,
  Catch,
  ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { classifyFailure } from '../database/database-error.js';
import { WorkerDiedError, WorkerUnavailableError } from '../jobs/worker-errors.js';
import type { AnsweredRequest } from './answered-request.js';
import { ClientLeftError, isCutOff } from './client-left.js';
import { discardBody } from './discard-body.js';
import type { RouteTable } from './route-table.js';
import { Problem } from '../problems/problem.js';
import { findProblemFormat } from './problem-format.js';

/**
 * Converts any exception to problem details; internal errors are logged and not described to the
 * client.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly routes: RouteTable) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    if (exception instanceof ClientLeftError) return;
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (isCutOff(request)) {
      request.log.debug({ route: request.routeOptions.url }, 'The client cut off its request');
      return;
    }
    const reply = http.getResponse<FastifyReply>();
    // Without a route, Fastify first rejects the body, for its media type or because it is missing.
    const problem =
      exception instanceof NotFoundException || request.is404
        ? this.routes.findProblem(request.url)
        : toProblem(exception);
    if (problem.getStatus() >= 500) this.logger.error(exception);
    discardBody(request, reply);
    sendProblem(request, reply, problem, this.routes);
  }
}

export function sendProblem(
  request: AnsweredRequest,
  reply: FastifyReply,
  problem: Problem,
  routes: RouteTable,
): void {
  request.problemCode = problem.code;
  const format = findProblemFormat(request, routes);
  const { status, body } = format?.(problem, request.id) ?? {
    status: problem.getStatus(),
    body: problem.toBody(request.id),
  };
  void reply
    .status(status)
    // The hooks that usually set this header do not run for malformed paths.
    .header('x-request-id', request.id)
    .headers(problem.headers)
    .type(`application/${format ? 'json' : 'problem+json'}; charset=utf-8`)
    // Serialized here so that the response does not depend on a route's response schema.
    .send(JSON.stringify(body));
}

export function toProblem(exception: unknown): Problem {
  if (exception instanceof Problem) return exception;
  if (classifyFailure(exception) !== undefined) return new Problem('database_unavailable');
  if (exception instanceof WorkerDiedError) return new Problem('worker_unavailable');
  if (exception instanceof WorkerUnavailableError) {
    const seconds = Math.max(1, Math.ceil(exception.retryAfterMs / 1000));
    const { part } = exception;
    return new Problem('worker_unavailable', {
      ...(part !== undefined && { detail: `${part} is starting. Try again in a few seconds.` }),
      headers: { 'retry-after': String(seconds) },
    });
  }
  // A path that cannot be decoded cannot exist.
  if (exception instanceof Error && 'code' in exception && exception.code === 'FST_ERR_BAD_URL') {
    return new Problem('not_found');
  }
  switch (readStatus(exception)) {
    case 400:
      return new Problem('validation_failed', { detail: 'The body is not well-formed JSON.' });
    // Fastify answers 414 for a path segment that is longer than any id.
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

/** Returns the status of an exception of Nest or an error of Fastify. */
function readStatus(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  if (exception instanceof Error && 'statusCode' in exception) return Number(exception.statusCode);
  return undefined;
}
