import { describeSpan } from '../../platform/telemetry/tracing.js';

/** Records in the span of a search how long it waited for its turn. */
export const describeWait = (milliseconds: number): void => {
  describeSpan({ 'latchkey.search.wait_ms': Math.round(milliseconds) });
};
