import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { context, propagation, trace } from '@opentelemetry/api';
import { RareWarning } from './rare-warning.js';
import { type TelemetrySettings, readTelemetrySettings } from './telemetry-settings.js';
import { switchOnTracing } from './tracing.js';

/** The time that the service waits at shutdown for a collector that does not answer. */
const STOP_TIMEOUT_MS = 2000;

type Packages = Awaited<ReturnType<typeof loadPackages>>;

const logger = new Logger('Telemetry');
/** Stops telemetry; undefined while there is none. */
let stop: (() => Promise<void>) | undefined;

/**
 * Registers the SDK if the environment asks for traces. The SDK itself reads the destination and
 * headers from the environment.
 *
 * @throws ConfigurationError
 */
export async function startTelemetry(variables: NodeJS.ProcessEnv): Promise<void> {
  const settings = readTelemetrySettings(variables);
  if (!settings) return;
  const packages = await loadPackages(settings.protocol);
  const { sdk, exporter, core, AsyncLocalStorageContextManager } = packages;
  // Every batch fails while the collector cannot be reached.
  const warning = new RareWarning(logger);
  core.setGlobalErrorHandler((error) => {
    warning.log(`Traces are lost: the collector does not accept them: ${toMessage(error)}`);
  });
  const provider = new sdk.TracerProvider({
    resource: buildResource(packages),
    sampler: buildSampler(packages, settings.sampler),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter(),
        ...defined(settings.batch),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  if (settings.propagates) {
    propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  }
  trace.setGlobalTracerProvider(provider);
  switchOnTracing();
  stop = () => Promise.race([provider.shutdown(), pause(STOP_TIMEOUT_MS, undefined, UNREF)]);
}

const UNREF = { ref: false };

/** Sends the remaining spans. */
export async function stopTelemetry(): Promise<void> {
  await stop?.().catch((error: unknown) => {
    logger.warn(`The last traces were not sent: ${toMessage(error)}`);
  });
}

/**
 * Builds the resource. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES are merged last, so they take
 * precedence.
 */
function buildResource({ resources }: Packages) {
  const { defaultResource, resourceFromAttributes, detectResources } = resources;
  const detectors = [resources.serviceInstanceIdDetector, resources.envDetector];
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'latchkey' }))
    .merge(detectResources({ detectors }));
}

function buildSampler({ sdk }: Packages, { name, isParentBased, ratio }: Sampler) {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[name]();
  return isParentBased ? new sdk.ParentBasedSampler({ root }) : root;
}

type Sampler = TelemetrySettings['sampler'];

/** Returns the message of an error, or the code of a system error without one. */
function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

const defined = (options: TelemetrySettings['batch']) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/**
 * Loads the packages only if tracing is on, so that other services neither wait for them nor hold them
 * in memory.
 */
async function loadPackages(protocol: TelemetrySettings['protocol']) {
  const [sdk, exporter, { AsyncLocalStorageContextManager }, resources, core] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
  ]);
  return { sdk, exporter, AsyncLocalStorageContextManager, resources, core };
}
