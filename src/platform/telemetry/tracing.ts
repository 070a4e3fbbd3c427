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
  /** Names, ids and counts: never a key, a question, an answer or a header's value. */
  readonly attributes?: Attributes;
}

/** Undefined without tracing; then a span costs one comparison. */
let tracer: Tracer | undefined;

export const isTracing = () => tracer !== undefined;

/** Called once, after an SDK is registered. */
export function switchOnTracing(): void {
  tracer = trace.getTracer('latchkey');
}

/** Whether there is a span that is recorded and has not ended. */
export const isRecording = () =>
  tracer !== undefined && trace.getActiveSpan()?.isRecording() === true;

/** Runs `work` outside of the active trace. */
export const outsideTraces = <T>(work: () => T): T =>
  tracer ? context.with(ROOT_CONTEXT, work) : work();

/** Runs `work` in a span; without tracing, or within a trace that is not recorded, just runs it. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracer || trace.getActiveSpan()?.isRecording() === false) return work();
  return tracer.startActiveSpan(name, options, (span) => ended(span, () => work(span)));
}

/** The same for work without spans of its own: changing the active span would cost without use. */
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

/** Adds to the active span, if there is one that is recorded. */
export function describeSpan(attributes: Attributes): void {
  if (isRecording()) trace.getActiveSpan()?.setAttributes(attributes);
}

/** A span that its caller ends; undefined without tracing. */
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

/** The code of a problem, or the class of another error. */
export function toErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return error.name === 'Problem' && 'code' in error ? String(error.code) : error.name;
}

/** The headers by which the receiver of a request continues the trace. */
export function traceHeaders(span?: Span): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!tracer) return headers;
  const active = context.active();
  propagation.inject(span ? trace.setSpan(active, span) : active, headers);
  return headers;
}

/** The fields that each line of the log gets within a trace. */
export function traceFields(): object {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}
