import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { ConfigurationError } from '../../platform/config/configuration-error.js';
import { dataSourceOptions, sqliteFile } from '../../platform/database/data-source-options.js';
import { EngineDataSource } from '../../platform/database/engine-data-source.js';
import { requireSupportedServer } from '../../platform/database/server-version.js';
import { asStartProblem } from '../../platform/database/start-problem.js';
import { LocalModelError } from '@latchkey/embeddings/local-model-error';
import { parseResponse } from '@latchkey/text/parse-json';
import { describeFailure, getHost } from '../../platform/model-endpoints/endpoint-failure.js';
import {
  probeEmbeddings,
  probeModel,
  probeReranker,
} from '../../platform/model-endpoints/probe.js';
import { type Check, type Finding, ok, problem, warning } from '../../platform/plugins/finding.js';

const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** The time limit for a model, which may have to be loaded first. */
const MODEL_TIMEOUT_MS = 15_000;

export const checkDatabase: Check = async (config) => {
  if (!config.postgres && !existsSync(sqliteFile(config))) {
    return [ok('There is no database yet: the first start creates it.')];
  }
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read'));
  const findings: Finding[] = [];
  const connect = async () => {
    await dataSource.initialize();
    await dataSource.query('SELECT 1');
    if (!config.postgres) return;
    findings.push(ok(`The server is PostgreSQL ${await requireSupportedServer(dataSource)}.`));
  };
  findings.unshift(
    ...(await attempt('The database answers.', connect, (error) => {
      const cause = asStartProblem(error, config);
      return cause instanceof ConfigurationError ? cause.message : 'The database is unavailable.';
    })),
  );
  if (config.postgres?.DATABASE_POOLER === 'transaction' && dataSource.isInitialized) {
    findings.push(...(await checkRoleSettings(dataSource)));
  }
  if (dataSource.isInitialized) await dataSource.destroy();
  return findings;
};

/** Checks the role's time limits, which the service cannot set behind a pooler. */
async function checkRoleSettings(dataSource: EngineDataSource): Promise<Finding[]> {
  const unlimited = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM pg_settings
     WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
     ORDER BY name`,
  );
  return unlimited.map(({ name }) =>
    warning(
      `DATABASE_POOLER is transaction, and the database's role has no ${name}: slow statements are not cancelled. See docs/operations.md.`,
    ),
  );
}

export const checkRedis: Check = async ({ REDIS_URL }) => {
  if (REDIS_URL === undefined) return [];
  const redis = new Redis(REDIS_URL, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The failed call rejects. An `error` event without a listener would be thrown as well.
  redis.on('error', () => undefined);
  const connect = async () => {
    await redis.connect();
    await redis.ping();
  };
  const failure = 'Redis at REDIS_URL does not answer: rate limits are counted without it.';
  const findings = await attempt('Redis answers.', connect, () => failure);
  redis.disconnect();
  return findings;
};

export const checkModel: Check = ({ model, LLM_MAX_TOKENS }) => {
  if (!model) return [];
  return attempt(
    `The model at ${getHost(model)} answers.`,
    () => probeModel(model, LLM_MAX_TOKENS, Math.min(model.timeoutMs, MODEL_TIMEOUT_MS)),
    (error) => `LLM_BASE_URL: ${describeFailure(error, { ...model, variables: 'LLM' })}`,
  );
};

export const checkEmbeddings: Check = ({ embeddings }) => {
  if (!embeddings) return [];
  return attempt(
    `The embeddings at ${getHost(embeddings)} answer.`,
    () => probeEmbeddings(embeddings, TIMEOUT_MS),
    (error) =>
      `EMBEDDINGS_BASE_URL: ${describeFailure(error, { ...embeddings, variables: 'EMBEDDINGS' })}: search goes by words alone.`,
  );
};

export const checkReranker: Check = async ({ reranker }) => {
  if (!reranker) return [];
  const start = performance.now();
  const findings = await attempt(
    `The reranker at ${getHost(reranker)} answers.`,
    () => probeReranker(reranker, TIMEOUT_MS),
    (error) =>
      `RERANK_BASE_URL: ${describeFailure(error, { ...reranker, variables: 'RERANK' })}: passages stay in the order of the search.`,
  );
  const elapsedMs = Math.round(performance.now() - start);
  if (elapsedMs <= reranker.timeoutMs || findings.some(({ verdict }) => verdict !== 'ok')) {
    return findings;
  }
  return [
    warning(
      `The reranker at ${getHost(reranker)} answers after ${elapsedMs} ms; searches wait for RERANK_TIMEOUT_MS, ${reranker.timeoutMs} ms.`,
    ),
  ];
};

export const checkRecognitionServer: Check = async (config) => {
  const { recognitionServer: server } = config;
  if (!server) return [];
  const { RecognitionServer } = await import('../../documents/recognition/recognition-server.js');
  return attempt(
    `The recognition server at ${getHost(server)} answers.`,
    () => new RecognitionServer(config).probe(MODEL_TIMEOUT_MS),
    (error) =>
      `OCR_BASE_URL: ${describeFailure(error, { ...server, variables: 'OCR' })}: pages wait to be recognised.`,
  );
};

export const checkEmbeddingsModel: Check = ({ EMBEDDINGS_MODEL_PATH, EMBEDDINGS_TIMEOUT_MS }) => {
  if (EMBEDDINGS_MODEL_PATH === undefined) return [];
  const load = async () => {
    const { LocalEmbeddings } = await import('../../documents/search/local-embeddings.js');
    await (await LocalEmbeddings.load(EMBEDDINGS_MODEL_PATH, EMBEDDINGS_TIMEOUT_MS)).close();
  };
  return attempt('The model at EMBEDDINGS_MODEL_PATH makes vectors.', load, (error) =>
    error instanceof LocalModelError
      ? `EMBEDDINGS_MODEL_PATH: ${error.message}: search goes by words alone.`
      : 'The model cannot be loaded.',
  );
};

/** Checks that the service runs and is ready, and that it does not trust a header that it should not. */
export const checkService: Check = async ({ HOST, PORT, dashboardAuth }) => {
  if (PORT === 0) return [warning('PORT is 0: the service gets another port at each start.')];
  const url = `http://${hostToProbe(HOST)}:${PORT}`;
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answersOk = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(path, headers)).ok;
  try {
    if (!(await answersOk('/health/live'))) {
      return [problem(`Something other than Latchkey answers at ${url}.`)];
    }
    const readiness = await checkReadiness(url, await ask('/health/ready'));
    if (dashboardAuth.mode === 'trust') return [readiness];
    const trusted = await answersOk('/api/v1/kbs', { 'x-idp-user-id': 'doctor' });
    return [
      readiness,
      trusted
        ? problem(
            'The service trusts X-Idp-User-Id from anybody: it runs with another DASHBOARD_AUTH_MODE than this one. Restart it.',
          )
        : ok('X-Idp-User-Id alone is not trusted.'),
    ];
  } catch {
    return [problem(`No service answers at ${url}: it is not running, or uses another port.`)];
  }
};

async function checkReadiness(url: string, response: Response): Promise<Finding> {
  if (response.ok) return ok(`The service is ready at ${url}.`);
  const body = (await parseResponse(response, MAX_ANSWER_BYTES)) as Partial<
    Record<'code' | 'detail' | 'workers', string>
  >;
  const { code, detail = '', workers } = body;
  if (workers === 'starting') return problem(`The service at ${url} is starting. ${detail}`);
  return code === 'worker_unavailable'
    ? problem(
        `The service at ${url} runs, but cannot start its threads or processes: were its files replaced? Restart it. ${detail}`,
      )
    : problem(`The service at ${url} runs, but cannot use its database.`);
}

async function attempt(
  success: string,
  connect: () => Promise<unknown>,
  describe: (error: unknown) => string,
): Promise<Finding[]> {
  try {
    await connect();
    return [ok(success)];
  } catch (error) {
    return [problem(describe(error))];
  }
}

/** The host to call: a service that listens on all addresses is reached by loopback. */
function hostToProbe(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
