import { resolve } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ConfigurationError } from './configuration-error.js';
import { DashboardAuthConfig, dashboardAuthConfig } from './dashboard-auth-config.js';
import { Environment } from './environment.js';

export interface PostgresConfig {
  readonly url: string;
  /** A standby of the same cluster; undefined when everything is read from the primary. */
  readonly replicaUrl: string | undefined;
  /** The maximum number of connections of this process to each of the two; one more writes the index. */
  readonly poolSize: number;
  /** Whether a pooler stands between, which gives each transaction any of its connections. */
  readonly pooled: boolean;
  /** How long a request waits for a connection, new or free. */
  readonly acquireTimeoutMs: number;
  /** How long one statement may take. */
  readonly statementTimeoutMs: number;
}

/** How object stores are reached. */
export interface S3Config {
  /** Undefined for Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
}

/** An OpenAI-compatible endpoint. */
export interface EmbeddingsConfig {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** The language model; a knowledge base may name another `model`. */
export interface ModelConfig extends EmbeddingsConfig {
  /** A request fails when the model sends nothing for so long. */
  readonly timeoutMs: number;
  /** Those that a knowledge base may name, `model` among them. */
  readonly models: readonly string[];
}

/** An endpoint with `/rerank`. */
export interface RerankConfig {
  readonly baseUrl: string;
  /** Undefined for a server that has one model only. */
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  /** How long a search waits for it. */
  readonly timeoutMs: number;
}

/** The configuration: the environment variables, validated once, typed and frozen. */
export class Config {
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** PostgreSQL; undefined means SQLite in `dataDir`. */
  readonly postgres: PostgresConfig | undefined;
  /** Redis counts rate limits; undefined counts them in PostgreSQL, or in memory on SQLite. */
  readonly redisUrl: string | undefined;
  /** The port of `/metrics`; undefined when it is not served. */
  readonly metricsPort: number | undefined;
  /** Time limit of a search, after which it returns what it has found. */
  readonly searchTimeoutMs: number;
  /** Of one uploaded file. */
  readonly maxUploadBytes: number;
  /** Where new contents of documents are kept: `database`, `files` or `s3://bucket/prefix`. */
  readonly contentStore: string;
  readonly s3: S3Config;
  readonly maxKnowledgeBasesPerUser: number;
  readonly maxDocumentsPerKnowledgeBase: number;
  readonly maxBytesPerKnowledgeBase: number;
  /** That can be used: neither revoked nor expired. */
  readonly maxApiKeysPerKnowledgeBase: number;
  /** In this process. */
  readonly maxParallelUploadsPerUser: number;
  readonly dashboardAuth: DashboardAuthConfig;
  /** Web origins whose pages may call the management endpoints from a browser. */
  readonly dashboardOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** `API_KEY_PEPPERS`, not yet parsed; when undefined, a pepper is generated in `dataDir`. */
  readonly apiKeyPeppers: string | undefined;
  readonly apiKeyBcryptCost: number;
  /** Undefined when answers quote the documents. */
  readonly model: ModelConfig | undefined;
  /** The longest answer that a model may write. */
  readonly maxAnswerTokens: number;
  /** How long audit events of a deleted knowledge base are kept. */
  readonly auditRetentionDays: number;
  /** Whether webhooks may be sent to private addresses, and by http. */
  readonly webhookAllowPrivate: boolean;
  /** How long running requests may take at shutdown. */
  readonly shutdownGraceMs: number;
  /** The endpoint for embeddings. Without it or a local model, search compares words only. */
  readonly embeddings: EmbeddingsConfig | undefined;
  /** Undefined when passages stay in the order of the search. */
  readonly reranker: RerankConfig | undefined;
  /** The path of a local model that makes embeddings, instead of an endpoint. */
  readonly embeddingsModelPath: string | undefined;
  /** Whether search compares vectors too. */
  readonly hasEmbeddings: boolean;
  readonly githubSecretScanningKeysUrl: string;
  /** For security.txt. */
  readonly securityContact: string | undefined;
  readonly logLevel: string;

  private constructor(environment: Environment) {
    this.port = environment.PORT;
    this.host = environment.HOST;
    this.dataDir = resolve(environment.DATA_DIR);
    this.postgres =
      environment.DATABASE_URL === undefined
        ? undefined
        : {
            url: environment.DATABASE_URL,
            replicaUrl: environment.DATABASE_REPLICA_URL,
            poolSize: environment.DATABASE_POOL_SIZE,
            pooled: environment.DATABASE_POOLER === 'transaction',
            acquireTimeoutMs: environment.DATABASE_ACQUIRE_TIMEOUT_MS,
            statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
          };
    this.redisUrl = environment.REDIS_URL;
    this.metricsPort = environment.METRICS_PORT;
    this.searchTimeoutMs = environment.SEARCH_TIMEOUT_MS;
    this.maxUploadBytes = environment.MAX_UPLOAD_BYTES;
    this.contentStore =
      environment.CONTENT_STORE?.replace(/\/$/, '') ?? (this.postgres ? 'database' : 'files');
    this.s3 = {
      endpoint: environment.CONTENT_STORE_ENDPOINT,
      region: environment.AWS_REGION,
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
      sessionToken: environment.AWS_SESSION_TOKEN,
    };
    this.maxKnowledgeBasesPerUser = environment.MAX_KNOWLEDGE_BASES_PER_USER;
    this.maxDocumentsPerKnowledgeBase = environment.MAX_DOCUMENTS_PER_KNOWLEDGE_BASE;
    this.maxBytesPerKnowledgeBase = environment.MAX_BYTES_PER_KNOWLEDGE_BASE;
    this.maxApiKeysPerKnowledgeBase = environment.MAX_API_KEYS_PER_KNOWLEDGE_BASE;
    this.maxParallelUploadsPerUser = environment.MAX_PARALLEL_UPLOADS_PER_USER;
    this.dashboardAuth = dashboardAuthConfig(environment);
    this.dashboardOrigins = environment.DASHBOARD_ALLOWED_ORIGINS ?? [];
    this.trustedProxies = environment.TRUSTED_PROXY_CIDRS ?? [];
    this.apiKeyPeppers = environment.API_KEY_PEPPERS;
    this.apiKeyBcryptCost = environment.API_KEY_BCRYPT_COST;
    const model = endpoint(environment, 'LLM');
    this.maxAnswerTokens = environment.LLM_MAX_TOKENS;
    this.model = model && {
      ...model,
      models: [model.model, ...(environment.LLM_MODELS ?? [])],
      timeoutMs: environment.LLM_TIMEOUT_MS,
    };
    this.auditRetentionDays = environment.AUDIT_RETENTION_DAYS;
    this.webhookAllowPrivate = environment.WEBHOOK_ALLOW_PRIVATE === 'yes';
    this.shutdownGraceMs = environment.SHUTDOWN_GRACE_SECONDS * 1000;
    this.embeddings = endpoint(environment, 'EMBEDDINGS');
    this.reranker =
      environment.RERANK_BASE_URL === undefined
        ? undefined
        : {
            baseUrl: environment.RERANK_BASE_URL,
            model: environment.RERANK_MODEL,
            apiKey: environment.RERANK_API_KEY,
            timeoutMs: environment.RERANK_TIMEOUT_MS,
          };
    this.embeddingsModelPath =
      environment.EMBEDDINGS_MODEL_PATH === undefined
        ? undefined
        : resolve(environment.EMBEDDINGS_MODEL_PATH);
    this.hasEmbeddings = (this.embeddings ?? this.embeddingsModelPath) !== undefined;
    this.githubSecretScanningKeysUrl = environment.GITHUB_SECRET_SCANNING_KEYS_URL;
    this.securityContact = environment.SECURITY_CONTACT;
    this.logLevel = environment.LOG_LEVEL;
    Object.freeze(this);
  }

  /** @throws ConfigurationError with one line for each bad variable */
  static fromEnvironment(variables: NodeJS.ProcessEnv): Config {
    // In compose files and shells an empty variable means that it is not set.
    const given = Object.fromEntries(
      Object.keys(new Environment()).flatMap((name) =>
        variables[name] ? [[name, variables[name]]] : [],
      ),
    );
    const environment = plainToInstance(Environment, given);
    // The last one is the most basic: what is no number is neither too large nor too small.
    const errors = validateSync(environment).flatMap(({ constraints = {} }) =>
      Object.values(constraints).slice(-1),
    );
    if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
    return new Config(environment);
  }
}

function endpoint(
  environment: Environment,
  kind: 'LLM' | 'EMBEDDINGS',
): EmbeddingsConfig | undefined {
  const baseUrl = environment[`${kind}_BASE_URL`];
  const model = environment[`${kind}_MODEL`];
  if (baseUrl === undefined || model === undefined) return undefined;
  return { baseUrl, model, apiKey: environment[`${kind}_API_KEY`] };
}
