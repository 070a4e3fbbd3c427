import { performance } from 'node:perf_hooks';
import { type Attributes, type Span, SpanKind } from '@opentelemetry/api';
import { markFailed, startSpan, traceHeaders, toErrorType } from '../telemetry/tracing.js';

const MS_PER_SECOND = 1000;

interface Call {
  readonly operation: 'chat' | 'embeddings';
  readonly model: string;
  readonly baseUrl: string;
  readonly temperature?: number | null | undefined;
}

interface Tokens {
  readonly input?: number;
  readonly output?: number;
}

/**
 * The span of a call to a model, following OpenTelemetry's conventions for generative AI. It contains
 * neither questions nor answers. Without tracing it does nothing.
 */
export class ModelSpan {
  private readonly began = performance.now();
  private hasBegunToAnswer = false;

  private constructor(private readonly span: Span | undefined) {}

  static start(call: Call): ModelSpan {
    const { operation, model } = call;
    const options = { kind: SpanKind.CLIENT, attributes: describe(call) };
    return new ModelSpan(startSpan(`${operation} ${model}`, options));
  }

  /** The headers by which the provider continues the trace. */
  get headers(): Record<string, string> {
    return this.span ? traceHeaders(this.span) : {};
  }

  /** Must be called for each piece of the answer. */
  receive(): void {
    if (this.hasBegunToAnswer) return;
    this.hasBegunToAnswer = true;
    const seconds = (performance.now() - this.began) / MS_PER_SECOND;
    this.span?.setAttribute('gen_ai.response.time_to_first_chunk', seconds);
  }

  complete({ input, output }: Tokens, finishReason?: string): void {
    this.span?.setAttributes({
      ...(finishReason !== undefined && { 'gen_ai.response.finish_reasons': [finishReason] }),
      ...(input !== undefined && { 'gen_ai.usage.input_tokens': input }),
      ...(output !== undefined && { 'gen_ai.usage.output_tokens': output }),
    });
  }

  fail(error: unknown): void {
    if (this.span) markFailed(this.span, toErrorType(error));
  }

  end(): void {
    this.span?.end();
  }
}

function describe({ operation, model, baseUrl, temperature }: Call): Attributes {
  const { protocol, hostname, port } = new URL(baseUrl);
  return {
    'gen_ai.operation.name': operation,
    // This names the protocol; the provider itself is in server.address.
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': model,
    ...(typeof temperature === 'number' && { 'gen_ai.request.temperature': temperature }),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'http:' ? 80 : 443),
  };
}
