import { context, propagation, trace } from '@opentelemetry/api';
import { ConfigurationError } from '../config/configuration-error.js';
import { switchOnTracing } from './tracing.js';

/** Undefined while there is no telemetry. */
let stop: (() => Promise<void>) | undefined;

/** Whether the environment asks for traces, by OpenTelemetry's own variables. */
export function wantsTelemetry(variables: NodeJS.ProcessEnv): boolean {
  if (variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = variables['OTEL_TRACES_EXPORTER'];
  if (exporter) return exporter !== 'none';
  return Boolean(
    variables['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
  );
}

/**
 * Registers OpenTelemetry's SDK, whose packages are optional. It reads the rest of its variables itself.
 *
 * @throws ConfigurationError
 */
export async function startTelemetry(variables: NodeJS.ProcessEnv): Promise<void> {
  const exporter = variables['OTEL_TRACES_EXPORTER'] ?? 'otlp';
  if (exporter !== 'otlp') {
    throw new ConfigurationError('OTEL_TRACES_EXPORTER must be otlp or none');
  }
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, resources, core] =
    await loadPackages();
  const serviceName = variables['OTEL_SERVICE_NAME'] ?? 'latchkey';
  const provider = new sdk.TracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': serviceName })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  switchOnTracing();
  stop = () => provider.shutdown();
}

/** Sends what was not sent yet. */
export const stopTelemetry = async (): Promise<void> => stop?.();

async function loadPackages() {
  try {
    return await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  } catch (error) {
    throw new ConfigurationError(
      'OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of OpenTelemetry, which `npm ci` without --omit=optional brings',
      { cause: error },
    );
  }
}
