import 'reflect-metadata';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Config } from './config/config.js';
import { ConfigurationError } from './config/configuration-error.js';
import { dataSourceOptions, sqliteFile } from './database/data-source-options.js';
import { EngineDataSource } from './database/engine-data-source.js';
import { openToOthers } from './database/private-files.js';
import { asStartProblem } from './database/start-problem.js';
import { describeFailure, hostOf } from './model-endpoints/endpoint-failure.js';
import { probeEmbeddings, probeModel } from './model-endpoints/probe.js';
import { vectorExtensionProblem } from './search/sqlite/vector-extension.js';

// Says in words what is wrong with a deployment, as far as it can be seen from here. Run it with the
// service's own environment, beside the running service or before the first start. It changes nothing.

type Finding = [verdict: 'ok' | 'warning' | 'problem', words: string];

const PROBE_TIMEOUT_MS = 5000;
/** One that runs on this machine may have to be loaded first. */
const MODEL_TIMEOUT_MS = 15_000;
const LITTLE_SPACE_BYTES = 1024 ** 3;

const findings = await examine();
for (const [verdict, words] of findings) console.log(`${verdict.padEnd(7)}  ${words}`);
const problems = findings.filter(([verdict]) => verdict === 'problem').length;
console.log(problems === 0 ? '\nNothing is in the way.' : `\nProblems: ${problems}`);
process.exitCode = problems === 0 ? 0 : 1;

async function examine(): Promise<Finding[]> {
  try {
    const config = Config.fromEnvironment(process.env);
    const [database, redis, model, embeddings, service] = await Promise.all([
      examineDatabase(config),
      examineRedis(config),
      examineModel(config),
      examineEmbeddings(config),
      examineService(config),
    ]);
    const vectors = vectorExtensionProblem(config);
    return [
      ...examineEnvironment(config),
      ...(vectors === undefined ? [] : [['problem', vectors] satisfies Finding]),
      ...examineFolder(config),
      database,
      ...redis,
      ...model,
      ...embeddings,
      ...service,
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((line): Finding => ['problem', line]);
  }
}

function examineEnvironment(config: Config): Finding[] {
  const findings: Finding[] = [['ok', 'The environment is well-formed.']];
  const warn = (when: boolean, words: string) => {
    if (when) findings.push(['warning', words]);
  };
  warn(
    process.env['NODE_ENV'] !== 'production',
    'NODE_ENV is not production: what production demands is not asked for.',
  );
  warn(
    config.dashboardAuth.mode === 'trust',
    'DASHBOARD_AUTH_MODE is trust: whoever reaches the port can be any user.',
  );
  warn(
    config.apiKeyPeppers === undefined,
    'API_KEY_PEPPERS is not set: the pepper is kept in DATA_DIR. Keep a copy, and give it to every process that has another DATA_DIR.',
  );
  warn(
    config.apiKeyBcryptCost < 10,
    'API_KEY_BCRYPT_COST is below 10: guessing secrets from a stolen database is cheaper.',
  );
  warn(
    config.securityContact === undefined,
    'SECURITY_CONTACT is not set: whoever finds a weakness does not know whom to tell.',
  );
  return findings;
}

function examineFolder({ dataDir }: Config): Finding[] {
  if (!existsSync(dataDir)) return [['ok', 'DATA_DIR is not there yet: the first start makes it.']];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [['problem', 'DATA_DIR cannot be written by the user that runs this.']];
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const open = openToOthers(dataDir).length;
  return [
    bavail * bsize < LITTLE_SPACE_BYTES
      ? ['warning', 'DATA_DIR has less than 1 GiB of free space.']
      : ['ok', 'DATA_DIR can be written and has space.'],
    open > 0
      ? [
          'problem',
          `Other users of this machine can reach DATA_DIR or files in it (${open}): the next start closes what belongs to its user; \`chmod -R go= "$DATA_DIR"\` closes all.`,
        ]
      : ['ok', 'No other user of this machine can reach what is in DATA_DIR.'],
  ];
}

async function examineDatabase(config: Config): Promise<Finding> {
  if (!config.postgres && !existsSync(sqliteFile(config))) {
    return ['ok', 'There is no database yet: the first start makes it.'];
  }
  const dataSource = new EngineDataSource(dataSourceOptions(config, 'read'));
  try {
    await dataSource.initialize();
    await dataSource.query('SELECT 1');
    return ['ok', 'The database answers.'];
  } catch (error) {
    const told = asStartProblem(error, config);
    return [
      'problem',
      told instanceof ConfigurationError ? told.message : 'The database cannot be used.',
    ];
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

async function examineRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: PROBE_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // What went wrong is told by the call; without a listener it would be thrown as well.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return [['ok', 'Redis answers.']];
  } catch {
    return [['problem', 'Redis at REDIS_URL does not answer: limits are counted without it.']];
  } finally {
    redis.disconnect();
  }
}

async function examineModel({ model }: Config): Promise<Finding[]> {
  if (!model) return [];
  try {
    await probeModel(model, Math.min(model.timeoutMs, MODEL_TIMEOUT_MS));
    return [['ok', `The model at ${hostOf(model)} answers.`]];
  } catch (error) {
    const failure = describeFailure(error, { ...model, variables: 'LLM' });
    return [['problem', `LLM_BASE_URL: ${failure}`]];
  }
}

async function examineEmbeddings({ embeddings }: Config): Promise<Finding[]> {
  if (!embeddings) return [];
  try {
    await probeEmbeddings(embeddings, PROBE_TIMEOUT_MS);
    return [['ok', `The embeddings at ${hostOf(embeddings)} answer.`]];
  } catch (error) {
    const failure = describeFailure(error, { ...embeddings, variables: 'EMBEDDINGS' });
    return [['problem', `EMBEDDINGS_BASE_URL: ${failure}: search goes by words alone.`]];
  }
}

async function examineService(config: Config): Promise<Finding[]> {
  if (config.port === 0)
    return [['warning', 'PORT is 0: the service is somewhere else each time.']];
  const url = `http://${hostToProbe(config.host)}:${config.port}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  try {
    if (!(await get('/health/live')).ok) {
      return [['problem', `Something other than Latchkey answers at ${url}.`]];
    }
    const ready = (await get('/health/ready')).ok;
    const believed = (await get('/api/v1/kbs', { 'x-idp-user-id': 'doctor' })).ok;
    return [
      ready
        ? ['ok', `The service is ready at ${url}.`]
        : ['problem', `The service at ${url} runs, but cannot use its database.`],
      ...(config.dashboardAuth.mode === 'trust'
        ? []
        : [
            believed
              ? ([
                  'problem',
                  'The service believes X-Idp-User-Id from anybody: it runs with another DASHBOARD_AUTH_MODE than this one. Restart it.',
                ] as Finding)
              : (['ok', 'X-Idp-User-Id alone is not believed.'] as Finding),
          ]),
    ];
  } catch {
    return [['problem', `No service answers at ${url}: it is not started, or on another port.`]];
  }
}

/** An address that stands for all of them is reached by loopback. */
function hostToProbe(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
