import { describe, expect, it } from '@jest/globals';
import { readTelemetrySettings } from './telemetry-settings.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('the variables of OpenTelemetry', () => {
  it.each([
    ['nothing', {}],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['OTEL_SDK_DISABLED', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }],
    ['no exporter', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('ask for no traces by %s', (_, variables) => {
    expect(readTelemetrySettings(variables)).toBeUndefined();
  });

  it.each([
    ['an endpoint', ENDPOINT],
    ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/v1/traces' }],
    ['an exporter', { OTEL_TRACES_EXPORTER: 'otlp' }],
  ])('ask for traces by %s, with the defaults of the specification', (_, variables) => {
    expect(readTelemetrySettings(variables)).toMatchObject({
      protocol: 'http/protobuf',
      sampler: { name: 'always_on', isParentBased: true },
      batch: { scheduledDelayMillis: undefined },
      propagates: true,
    });
  });

  it('choose protocol, share of traces, batches and propagation', () => {
    const chosen = readTelemetrySettings({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_PROPAGATORS: 'none',
    });
    expect(chosen).toMatchObject({
      protocol: 'http/json',
      sampler: { name: 'traceidratio', isParentBased: false, ratio: 0.1 },
      batch: { scheduledDelayMillis: 100 },
      propagates: false,
    });
  });

  it.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER', 'parentbased_parentbased_always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_SCHEDULE_DELAY', '-1'],
    ['OTEL_PROPAGATORS', 'b3'],
  ])('refuse %s=%s by its name', (name, value) => {
    expect(() => readTelemetrySettings({ ...ENDPOINT, [name]: value })).toThrow(`${name} must be`);
  });
});
