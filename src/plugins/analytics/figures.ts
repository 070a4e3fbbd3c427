import { parseHistograms } from '../../usage/latency-histogram.js';
import { COUNTER_NAMES, type Counts, noCounts } from '../../usage/usage-counts.js';
import type { ReportRow } from '../../platform/reports/report-queries.js';

/** The counts of an interval or of a key. */
export interface UsageFigures {
  readonly counts: Counts;
  /** Answers by latency bucket. */
  readonly latencies: Map<number, number>;
  endUsers: number;
}

export const noFigures = (): UsageFigures => ({
  counts: noCounts(),
  latencies: new Map(),
  endUsers: 0,
});

/** Adds the counts, latencies or end users of a row, whichever it has. */
export function addRow(figures: UsageFigures, row: ReportRow): void {
  for (const name of COUNTER_NAMES) figures.counts[name] += Number(row[name] ?? 0);
  for (const [bucket, answers] of parseLatencies(row)) {
    figures.latencies.set(bucket, (figures.latencies.get(bucket) ?? 0) + answers);
  }
  figures.endUsers += Number(row['endUsers'] ?? 0);
}

export function addFigures(sum: UsageFigures, { counts, latencies }: UsageFigures): void {
  for (const name of COUNTER_NAMES) sum.counts[name] += counts[name];
  for (const [bucket, answers] of latencies) {
    sum.latencies.set(bucket, (sum.latencies.get(bucket) ?? 0) + answers);
  }
}

export const isEmpty = ({ counts, endUsers }: UsageFigures): boolean =>
  endUsers === 0 && COUNTER_NAMES.every((name) => counts[name] === 0);

/** The column is null if nothing was counted, and absent if the query did not ask for it. */
const parseLatencies = ({ latencies }: ReportRow) =>
  typeof latencies === 'string' ? parseHistograms(latencies) : [];
