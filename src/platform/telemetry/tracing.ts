import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

export interface SpanOptions {
  readonly kind?: SpanKind;
  /** Names, ids and counts; never a key, a question, an answer or a header value. */
  readonly attributes?: Attributes;
}

/** Undefined without tracing, so that a span then costs only one comparison. */
let tracer: Tracer | undefined;

export const isTracing = () => tracer !== undefined;

/** Called once, after an SDK is registered. */
export function switchOnTracing(): void {
  tracer = trace.getTracer('latchkey');
}

/** Whether there is an active span that is being recorded. */
export const isRecording = () =>
  tracer !== undefined && trace.getActiveSpan()?.isRecording() === true;

/** Runs `work` outside of the active trace. */
export const outsideTraces = <T>(work: () => T): T =>
  tracer ? context.with(ROOT_CONTEXT, work) : work();

/** Runs `work` in a span. Without tracing, or within an unrecorded trace, it just runs it. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracer || trace.getActiveSpan()?.isRecording() === false) return work();
  return tracer.startActiveSpan(name, options, (span) => ended(span, () => work(span)));
}

/** Like `inSpan`, for work without child spans: it saves the cost of changing the active span. */
export function inLeafSpan<T>(
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  return isRecording() && tracer ? ended(tracer.startSpan(name, options), work) : work();
}

async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    markFailed(span, toErrorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Adds attributes to the active span, if one is being recorded. */
export function describeSpan(attributes: Attributes): void {
  if (isRecording()) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Starts a span that the caller must end; undefined without tracing. */
export const startSpan = (
  name: string,
  options: SpanOptions,
  parent: Context = context.active(),
): Span | undefined => tracer?.startSpan(name, options, parent);

/** @param type the class or code of the error, never its message, which may contain anything */
export function markFailed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', type);
}

/** Returns the code of a problem, or the class of another error. */
export function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return error.name === 'Problem' && 'code' in error ? String(error.code) : error.name;
}

/** Returns the headers by which the receiver of a request continues the trace. */
export function traceHeaders(span?: Span): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!tracer) return headers;
  const active = context.active();
  propagation.inject(span ? trace.setSpan(active, span) : active, headers);
  return headers;
}

/** Returns the fields added to each log line within a trace. */
export function traceFields(): object {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}
