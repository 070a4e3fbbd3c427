import { SpanKind } from '@opentelemetry/api';
import type { QueryRunner } from 'typeorm';
import { inLeafSpan, isRecording, isTracing, type SpanOptions } from './tracing.js';

/** Matches the operation and the first table, if there is one; neither literals nor parameters. */
const SUMMARY = /^\s*([A-Z]+)\b(?:[^;]*?\b(?:FROM|INTO|UPDATE|JOIN)\s+"?([a-z_]+)"?)?/i;
const SUMMARY_LENGTH = 2000;
/** Statements that never wait; a commit is not among them, since it may wait for the disk or a standby. */
const QUICK = /^\s*(?:BEGIN|START|ROLLBACK|SAVEPOINT|RELEASE|SET|SELECT pg_backend_pid)\b/i;
/** The maximum number of cached texts; each list length makes a new one. */
const MAX_TEXTS = 1000;

type StatementSpan = SpanOptions & { readonly name: string };

const traced = new WeakSet<QueryRunner>();
const spans = new Map<string, StatementSpan | undefined>();

/** Runs a statement in a span. Outside a recorded trace, such as in a background job, it just runs it. */
export function inStatementSpan<T>(
  system: string,
  sql: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!isRecording()) return work();
  const span = getStatementSpan(system, sql);
  return span ? inLeafSpan(span.name, span, work) : work();
}

/** Returns the cached span options of a statement; all statements go to the same database. */
function getStatementSpan(system: string, sql: string): StatementSpan | undefined {
  if (spans.has(sql)) return spans.get(sql);
  if (spans.size >= MAX_TEXTS) spans.clear();
  const span = QUICK.test(sql) ? undefined : describe(system, sql);
  spans.set(sql, span);
  return span;
}

function describe(system: string, sql: string): StatementSpan {
  const [, word = 'statement', table] = SUMMARY.exec(sql.slice(0, SUMMARY_LENGTH)) ?? [];
  const operation = word.toUpperCase();
  const name = table === undefined ? operation : `${operation} ${table}`;
  const attributes = {
    'db.system.name': system === 'postgres' ? 'postgresql' : 'sqlite',
    'db.operation.name': operation,
    'db.query.summary': name,
  };
  return { name, kind: SpanKind.CLIENT, attributes };
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
