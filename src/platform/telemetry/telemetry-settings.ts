import { ConfigurationError } from '../config/configuration-error.js';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
/** With `parentbased_…`, a trace begun by the caller is recorded if the caller records it. */
const PARENT_BASED = 'parentbased_';
const DEFAULT_SAMPLER = 'parentbased_always_on';

type Variables = Readonly<Record<string, string | undefined>>;

export interface TelemetrySettings {
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly sampler: {
    readonly name: (typeof SAMPLERS)[number];
    readonly isParentBased: boolean;
    /** The share of traces that `traceidratio` records. */
    readonly ratio: number;
  };
  /** Undefined where the SDK's default applies. */
  readonly batch: {
    readonly scheduledDelayMillis: number | undefined;
    readonly exportTimeoutMillis: number | undefined;
    readonly maxQueueSize: number | undefined;
    readonly maxExportBatchSize: number | undefined;
  };
  /** Whether `traceparent` is taken from requests and sent to models and webhooks. */
  readonly propagates: boolean;
}

/**
 * Reads those of OpenTelemetry's variables that its SDK does not read itself. An empty variable counts
 * as not set.
 *
 * @returns undefined unless the variables say where traces are sent
 *
 * @throws ConfigurationError
 */
export function readTelemetrySettings(variables: Variables): TelemetrySettings | undefined {
  if (variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const endpoint =
    variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || variables['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const exporter = variables['OTEL_TRACES_EXPORTER'] || (endpoint ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  requireAllowed('OTEL_TRACES_EXPORTER', exporter, ['otlp', 'none']);
  if (endpoint && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigurationError('OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// URL');
  }
  return {
    protocol: requireAllowed(
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      variables['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ||
        variables['OTEL_EXPORTER_OTLP_PROTOCOL'] ||
        PROTOCOLS[0],
      PROTOCOLS,
    ),
    sampler: readSampler(variables),
    batch: {
      scheduledDelayMillis: readWholeNumber(variables, 'OTEL_BSP_SCHEDULE_DELAY'),
      exportTimeoutMillis: readWholeNumber(variables, 'OTEL_BSP_EXPORT_TIMEOUT'),
      maxQueueSize: readWholeNumber(variables, 'OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: readWholeNumber(variables, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    },
    propagates: readPropagators(variables).includes('tracecontext'),
  };
}

function readSampler(variables: Variables): TelemetrySettings['sampler'] {
  const given = variables['OTEL_TRACES_SAMPLER'] || DEFAULT_SAMPLER;
  const isParentBased = given.startsWith(PARENT_BASED);
  const base = isParentBased ? given.slice(PARENT_BASED.length) : given;
  const name = requireAllowed('OTEL_TRACES_SAMPLER', base, SAMPLERS, [
    ...SAMPLERS,
    ...SAMPLERS.map((sampler) => `${PARENT_BASED}${sampler}`),
  ]);
  const ratio = Number(variables['OTEL_TRACES_SAMPLER_ARG'] || 1);
  if (!(ratio >= 0 && ratio <= 1)) {
    throw new ConfigurationError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  }
  return { name, isParentBased, ratio };
}

/**
 * Reads the propagators. Baggage is neither read nor sent: it would pass what callers wrote on to model
 * providers.
 */
function readPropagators(variables: Variables): string[] {
  const names = (variables['OTEL_PROPAGATORS'] || 'tracecontext').split(',');
  return names.map((name) =>
    requireAllowed('OTEL_PROPAGATORS', name.trim(), ['tracecontext', 'baggage', 'none']),
  );
}

function requireAllowed<Value extends string>(
  name: string,
  value: string,
  allowed: readonly Value[],
  listed: readonly string[] = allowed,
): Value {
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw new ConfigurationError(`${name} must be one of ${listed.join(', ')}`);
  }
  return found;
}

function readWholeNumber(variables: Variables, name: string): number | undefined {
  const text = variables[name];
  if (!text) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new ConfigurationError(`${name} must be a whole number above 0`);
  }
  return Number(text);
}
