import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

interface SpanOptions {
  readonly kind?: SpanKind;
  /** Names, ids and counts: never a key, a question, an answer or a header's value. */
  readonly attributes?: Attributes;
}

let isOn = false;

export const isTracing = () => isOn;

/** Called once, after an SDK is registered. Until then spans cost one comparison. */
export function switchOnTracing(): void {
  isOn = true;
}

/** Runs `work` in a span; without tracing, just runs it. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!isOn) return work();
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span that its caller ends; undefined without tracing. */
export const startSpan = (
  name: string,
  options: SpanOptions,
  parent: Context = context.active(),
): Span | undefined => (isOn ? tracer().startSpan(name, options, parent) : undefined);

/** Says what kind of error it was; its message may have anything in it. */
export function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeOf(error));
}

/** The headers that let the receiver of a request go on with the trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isOn) propagation.inject(context.active(), headers);
  return headers;
}

/** For each line of the log. */
export function traceFields(): object {
  const active = trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}

const tracer = () => trace.getTracer('latchkey');

/** The code of a problem, else the class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  return error.name === 'Problem' && 'code' in error ? String(error.code) : error.name;
}
