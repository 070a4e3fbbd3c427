import { SpanKind } from '@opentelemetry/api';
import type { QueryRunner } from 'typeorm';
import { inSpan, isRecording, isTracing } from './tracing.js';

/** The operation and, if there is one, the first table; neither literals nor parameters. */
const SUMMARY = /^\s*([A-Z]+)\b(?:[^;]*?\b(?:FROM|INTO|UPDATE|JOIN)\s+"?([a-z_]+)"?)?/i;
const SUMMARY_LENGTH = 2000;

const traced = new WeakSet<QueryRunner>();

/** Runs a statement in a span; outside of a recorded trace, such as in a background job, just runs it. */
export function inStatementSpan<T>(
  system: string,
  sql: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRecording()) return work();
  const [, word = 'statement', table] = SUMMARY.exec(sql.slice(0, SUMMARY_LENGTH)) ?? [];
  const operation = word.toUpperCase();
  const summary = table === undefined ? operation : `${operation} ${table}`;
  const attributes = {
    'db.system.name': system === 'postgres' ? 'postgresql' : 'sqlite',
    'db.operation.name': operation,
    'db.query.summary': summary,
  };
  return inSpan(summary, { kind: SpanKind.CLIENT, attributes }, work);
}

/** Runs every statement of TypeORM in a span. */
export function traceStatements(runner: QueryRunner): QueryRunner {
  if (!isTracing() || traced.has(runner)) return runner;
  traced.add(runner);
  const { type } = runner.dataSource.options;
  const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<unknown>;
  const inSpans = (sql: string, ...rest: unknown[]) =>
    inStatementSpan(type, sql, () => query(sql, ...rest));
  return Object.assign(runner, { query: inSpans });
}
