import { context, type Context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, markFailed, startSpan } from './tracing.js';

interface TracedRequest {
  readonly span: Span;
  readonly context: Context;
}

/** What `sendProblem` has noted. */
type AnsweredRequest = FastifyRequest & { readonly problemCode?: string };

const SERVER_ERROR = 500;
/** Asked every second, for nobody. */
const PROBES = /^\/health\//;

/**
 * A span for each request, by its route, which continues the trace of the caller. A path can have
 * anything in it, so it is left out. Hooks end by a callback, so that what follows runs within the
 * context of the span.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  const requests = new WeakMap<FastifyRequest, TracedRequest>();

  fastify.addHook('onRequest', (request, reply, done) => {
    const traced = startTrace(request);
    if (!traced) {
      done();
      return;
    }
    requests.set(request, traced);
    // Also when the client leaves, of which onResponse hears nothing.
    reply.raw.once('close', () => {
      endTrace(traced.span, request, reply);
    });
    context.with(traced.context, done);
  });

  // The events by which a body arrives are those of the connection, not of the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    context.with(requests.get(request)?.context ?? context.active(), done);
  });

  // The line of the log for a request names its trace.
  fastify.addHook('onResponse', (request, _reply, done) => {
    context.with(requests.get(request)?.context ?? context.active(), done);
  });
}

function endTrace(span: Span, { problemCode }: AnsweredRequest, { raw, statusCode }: FastifyReply) {
  if (raw.writableFinished) {
    span.setAttribute('http.response.status_code', statusCode);
    if (problemCode !== undefined) span.setAttribute('latchkey.problem_code', problemCode);
    if (statusCode >= SERVER_ERROR) markFailed(span, problemCode ?? `${statusCode}`);
  } else span.setAttribute('error.type', 'client_disconnected');
  span.end();
}

function startTrace(request: FastifyRequest): TracedRequest | undefined {
  const { method } = request;
  const route = request.routeOptions.url;
  if (route !== undefined && PROBES.test(route)) return undefined;
  // Without `tracestate`, a free text that would go on to models and receivers of webhooks.
  const { traceparent } = request.headers;
  const parent = propagation.extract(context.active(), { traceparent });
  const span = startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'url.scheme': request.protocol,
      },
    },
    parent,
  );
  return span && { span, context: trace.setSpan(parent, span) };
}
