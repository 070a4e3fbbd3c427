import { context, type Context, propagation, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, markFailed, startSpan } from './tracing.js';

interface TracedRequest {
  readonly span: Span;
  readonly context: Context;
}

/** A request with the code of the problem that `sendProblem` has sent. */
type AnsweredRequest = FastifyRequest & { readonly problemCode?: string };

const SERVER_ERROR = 500;
/** Health checks, which load balancers repeat every few seconds, are not traced. */
const PROBES = /^\/health\//;

/**
 * Creates a span for each request, named by its route, which continues the caller's trace. The path is
 * omitted, because it may contain anything. The hooks call `done` within the context of the span, so
 * that everything after them runs in it too.
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
    if (traced.span.isRecording()) {
      // `onResponse` is not called when the client disconnects.
      reply.raw.once('close', () => {
        endTrace(traced.span, request, reply);
      });
    }
    context.with(traced.context, done);
  });

  // This gives the log line of the request the ids of its trace.
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
  // `tracestate` is omitted: its free text would be sent on to models and receivers of webhooks.
  const { traceparent } = request.headers;
  const active = context.active();
  const parent = traceparent === undefined ? active : propagation.extract(active, { traceparent });
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
