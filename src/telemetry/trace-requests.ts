import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AnsweredRequest } from '../problems/problem.filter.js';
import { isTracing, startSpan } from './tracing.js';

interface Traced {
  readonly span: Span;
  readonly context: Context;
}

const SERVER_ERROR = 500;

/**
 * A span for each request, by its route, which goes on with the trace of the caller. Hooks end by a
 * callback, so that what follows runs within the context of the span.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  const requests = new WeakMap<FastifyRequest, Traced>();

  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const parent = propagation.extract(context.active(), request.headers);
    const attributes = { 'http.request.method': method, 'http.route': route };
    const span = startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    if (!span) {
      done();
      return;
    }
    const traced = { span, context: trace.setSpan(parent, span) };
    requests.set(request, traced);
    context.with(traced.context, done);
  });

  // The events by which a body arrives are those of the connection, not of the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    context.with(requests.get(request)?.context ?? context.active(), done);
  });

  fastify.addHook('onResponse', (request: AnsweredRequest, reply, done) => {
    const traced = requests.get(request);
    if (!traced) {
      done();
      return;
    }
    const { span } = traced;
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (request.problemCode !== undefined) span.setAttribute('error.type', request.problemCode);
    if (reply.statusCode >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    context.with(traced.context, done);
  });
}
