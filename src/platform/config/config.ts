import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ConfigurationError } from './configuration-error.js';
import { type DashboardAuthConfig, dashboardAuthConfig } from './dashboard-auth-config.js';
import { Environment } from './environment.js';

export type { AuditScope } from './environment.js';

/** The configuration when the database is PostgreSQL. */
export type PostgresConfig = Environment & { readonly DATABASE_URL: string };

/** An OpenAI-compatible endpoint. */
interface EndpointConfig {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

export interface EmbeddingsConfig extends EndpointConfig {
  /** How long a question waits for its vector. */
  readonly timeoutMs: number;
}

/** The language model; a knowledge base may name another `model`. */
export interface ModelConfig extends EndpointConfig {
  /** A request fails if the model sends nothing for this long. */
  readonly timeoutMs: number;
  /** The time limit of a whole answer. */
  readonly wholeAnswerMs: number;
  /** The models that a knowledge base may choose, including `model`. */
  readonly models: readonly string[];
}

/** An endpoint with `/rerank`. */
export interface RerankConfig {
  readonly baseUrl: string;
  /** Undefined for a server that has one model only. */
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  /** The time that a search waits for the endpoint. */
  readonly timeoutMs: number;
}

/** The whole answer may take this many times `LLM_TIMEOUT_MS`, the limit for each piece. */
const WHOLE_ANSWER_FACTOR = 10;

/**
 * The configuration: the environment variables under their own names, validated once and frozen, and
 * values derived from several of them.
 */
export class Config extends Environment {
  /** Undefined means SQLite in DATA_DIR. */
  get postgres(): PostgresConfig | undefined {
    return hasPostgres(this) ? this : undefined;
  }

  /** How dashboard users are authenticated. */
  get dashboardAuth(): DashboardAuthConfig {
    return dashboardAuthConfig(this);
  }

  /** The store of new contents: `database`, `files` or `s3://bucket/prefix`. */
  get contentStore(): string {
    return this.CONTENT_STORE?.replace(/\/$/, '') ?? (this.postgres ? 'database' : 'files');
  }

  /** The language model; undefined if answers quote the documents. */
  get model(): ModelConfig | undefined {
    const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_API_KEY: apiKey } = this;
    if (baseUrl === undefined || model === undefined) return undefined;
    const models = [model, ...(this.LLM_MODELS ?? [])];
    const { LLM_TIMEOUT_MS: timeoutMs, wholeAnswerMs } = this;
    return { baseUrl, model, apiKey, models, timeoutMs, wholeAnswerMs };
  }

  /** How long a whole answer of the language model may take. */
  get wholeAnswerMs(): number {
    return WHOLE_ANSWER_FACTOR * this.LLM_TIMEOUT_MS;
  }

  /** The endpoint for embeddings. */
  get embeddings(): EmbeddingsConfig | undefined {
    if ((this.EMBEDDINGS ?? 'endpoint') !== 'endpoint') return undefined;
    const { EMBEDDINGS_BASE_URL: baseUrl, EMBEDDINGS_MODEL: model } = this;
    if (baseUrl === undefined || model === undefined) return undefined;
    const { EMBEDDINGS_API_KEY: apiKey, EMBEDDINGS_TIMEOUT_MS: timeoutMs } = this;
    return { baseUrl, model, apiKey, timeoutMs };
  }

  /** Whether a model on this machine computes the vectors, once it is installed. */
  get usesLocalModel(): boolean {
    const byDefault = this.EMBEDDINGS_BASE_URL === undefined ? 'local' : 'endpoint';
    return (this.EMBEDDINGS ?? byDefault) === 'local';
  }

  /** The reranker; undefined if there is none. */
  get reranker(): RerankConfig | undefined {
    const { RERANK_BASE_URL: baseUrl, RERANK_MODEL: model, RERANK_API_KEY: apiKey } = this;
    if (baseUrl === undefined) return undefined;
    return { baseUrl, model, apiKey, timeoutMs: this.RERANK_TIMEOUT_MS };
  }

  /** The recognition server; undefined if pages are recognised on this machine. */
  get recognitionServer(): { baseUrl: string; apiKey: string | undefined } | undefined {
    const { OCR_BASE_URL: baseUrl, OCR_API_KEY: apiKey } = this;
    return baseUrl === undefined ? undefined : { baseUrl, apiKey };
  }

  /** @throws ConfigurationError with one line for each bad variable */
  static fromEnvironment(variables: NodeJS.ProcessEnv): Config {
    const defaults = new Environment();
    // In compose files and shells, an empty variable counts as not set.
    const given = Object.keys(defaults).flatMap((name) =>
      variables[name] ? [[name, variables[name]]] : [],
    );
    const config = plainToInstance(Config, { ...defaults, ...Object.fromEntries(given) });
    // The last constraint is the most basic: a value that is not a number should not be reported as too
    // large.
    const errors = validateSync(config).flatMap(({ constraints = {} }) =>
      Object.values(constraints).slice(-1),
    );
    if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
    // Rejects a configuration that would trust anyone.
    dashboardAuthConfig(config);
    if (config.EMBEDDINGS === 'endpoint' && !config.embeddings) {
      throw new ConfigurationError('EMBEDDINGS=endpoint needs EMBEDDINGS_BASE_URL');
    }
    return Object.freeze(config);
  }
}

const hasPostgres = (environment: Environment): environment is PostgresConfig =>
  environment.DATABASE_URL !== undefined;
