import {
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import {
  IsCidr,
  IsGivenBeside,
  IsGivenForObjectStore,
  IsGivenWith,
  IsHeaderSecret,
  IsHeaderValue,
  IsHttpUrl,
  IsInteger,
  IsNotGivenWith,
  IsOrigin,
  IsSecureUrl,
  toList,
} from './validators.js';

/** What MAX_UPLOAD_BYTES can be set to. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

/** The environment variables; the README describes each. */
export class Environment {
  @IsIn(['development', 'test', 'production'])
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  @IsInteger(0, 65535) PORT = 3000;
  @IsString() @IsNotEmpty() HOST = '127.0.0.1';
  @IsString() @IsNotEmpty() DATA_DIR = './data';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/./, { message: '$property must be a postgres:// URL' })
  DATABASE_URL?: string;

  /** A standby of the database of DATABASE_URL. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/./, { message: '$property must be a postgres:// URL' })
  @IsGivenBeside('DATABASE_URL', 'SQLite has no replica')
  DATABASE_REPLICA_URL?: string;

  @IsInteger(1, 1000) DATABASE_POOL_SIZE = 10;
  @IsIn(['none', 'transaction']) DATABASE_POOLER: 'none' | 'transaction' = 'none';
  @IsInteger(1) DATABASE_ACQUIRE_TIMEOUT_MS = 1500;
  @IsInteger(1) DATABASE_STATEMENT_TIMEOUT_MS = 1500;
  @IsInteger(1, 60_000) SEARCH_TIMEOUT_MS = 2000;
  @IsInteger(1, MAX_UPLOAD_BYTES) MAX_UPLOAD_BYTES = 20 * 1024 * 1024;

  /** Where the originals of documents are kept; `files` is DATA_DIR. */
  @IsOptional()
  @Matches(
    /^(files|database|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[\w.!-]+)*\/?)$/,
    {
      message: '$property must be files, database or s3://bucket/prefix',
    },
  )
  CONTENT_STORE?: string;

  /** Of an object store that is not Amazon's. */
  @IsOptional() @IsHttpUrl() CONTENT_STORE_ENDPOINT?: string;
  @IsString() @IsNotEmpty() AWS_REGION = 'us-east-1';
  @IsGivenForObjectStore() AWS_ACCESS_KEY_ID?: string;
  @IsGivenForObjectStore() AWS_SECRET_ACCESS_KEY?: string;
  @IsOptional() @IsHeaderValue() AWS_SESSION_TOKEN?: string;
  @IsInteger(1) MAX_KNOWLEDGE_BASES_PER_USER = 1000;
  @IsInteger(1) MAX_DOCUMENTS_PER_KNOWLEDGE_BASE = 1_000_000;
  @IsInteger(1) MAX_BYTES_PER_KNOWLEDGE_BASE = 50 * 1024 ** 3;
  @IsInteger(1) MAX_API_KEYS_PER_KNOWLEDGE_BASE = 1000;
  @IsInteger(1) MAX_PARALLEL_UPLOADS_PER_USER = 8;

  @IsOptional()
  @Matches(/^rediss?:\/\/./, { message: '$property must be a redis:// or rediss:// URL' })
  REDIS_URL?: string;

  @IsOptional() @IsInteger(1, 65535) METRICS_PORT?: number;

  @IsOptional()
  @IsIn(['trust', 'gateway', 'oidc'])
  DASHBOARD_AUTH_MODE?: 'trust' | 'gateway' | 'oidc';

  @IsOptional()
  @toList
  @IsHeaderSecret(32)
  GATEWAY_SECRETS?: string[];

  @IsOptional() @IsSecureUrl() OIDC_ISSUER?: string;
  @IsOptional() @IsString() OIDC_AUDIENCE?: string;
  @IsOptional() @IsSecureUrl() OIDC_JWKS_URL?: string;

  /** Clients of the provider whose tokens are accepted, beside the console. */
  @IsOptional()
  @toList
  @IsNotEmpty({ each: true })
  OIDC_AUTHORIZED_PARTIES?: string[];

  /** The console’s client at the identity provider: public, with PKCE. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  CONSOLE_OIDC_CLIENT_ID?: string;

  @IsString() @IsNotEmpty() CONSOLE_OIDC_SCOPE = 'openid offline_access';

  /** Of RFC 8707, for providers that give tokens for `OIDC_AUDIENCE` only when asked to. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  CONSOLE_OIDC_RESOURCE?: string;

  @IsOptional() @IsIn(['yes', 'no']) DASHBOARD_AUTH_TRUST_UNSAFE?: 'yes' | 'no';

  @IsOptional()
  @toList
  @IsOrigin()
  DASHBOARD_ALLOWED_ORIGINS?: string[];

  @IsOptional()
  @toList
  @IsCidr()
  TRUSTED_PROXY_CIDRS?: string[];

  @ValidateIf((environment: Environment) => environment.NODE_ENV === 'production')
  @Matches(/./, { message: '$property must be given in production' })
  @IsString()
  API_KEY_PEPPERS?: string;

  @IsInteger(4, 15) API_KEY_BCRYPT_COST = 10;
  @IsInteger(0, 3600) SHUTDOWN_GRACE_SECONDS = 10;
  @IsInteger(1, 36_500) AUDIT_RETENTION_DAYS = 365;
  @IsOptional() @IsIn(['yes', 'no']) WEBHOOK_ALLOW_PRIVATE?: 'yes' | 'no';

  /** Of any OpenAI-compatible server, such as `https://api.example.com/v1`. */
  @IsOptional() @IsHttpUrl() LLM_BASE_URL?: string;
  @IsGivenWith('LLM_BASE_URL') LLM_MODEL?: string;

  /** Those that knowledge bases may name, beside LLM_MODEL. */
  @IsOptional()
  @toList
  @IsNotEmpty({ each: true })
  @MaxLength(200, { each: true })
  @IsGivenBeside('LLM_BASE_URL', 'without it answers are quoted')
  LLM_MODELS?: string[];

  /** Of one answer. */
  @IsInteger(1, 1_000_000) LLM_MAX_TOKENS = 4096;
  @IsOptional() @IsHeaderValue() LLM_API_KEY?: string;
  @IsInteger(100, 600_000) LLM_TIMEOUT_MS = 30_000;
  @IsOptional() @IsHttpUrl() EMBEDDINGS_BASE_URL?: string;
  @IsGivenWith('EMBEDDINGS_BASE_URL') EMBEDDINGS_MODEL?: string;
  @IsOptional() @IsHeaderValue() EMBEDDINGS_API_KEY?: string;

  /** Of a server with `/rerank`, such as `https://api.cohere.com/v2`. */
  @IsOptional() @IsHttpUrl() RERANK_BASE_URL?: string;

  @IsOptional()
  @IsString()
  @IsNotEmpty()
  RERANK_MODEL?: string;

  @IsOptional() @IsHeaderValue() RERANK_API_KEY?: string;
  @IsInteger(10, 60_000) RERANK_TIMEOUT_MS = 300;

  /** A folder or file of a sentence-embedding model (ONNX), instead of an endpoint. */
  @IsNotGivenWith('EMBEDDINGS_BASE_URL') EMBEDDINGS_MODEL_PATH?: string;

  /** Where GitHub publishes the keys that it signs reports of leaked secrets with. */
  @IsSecureUrl()
  GITHUB_SECRET_SCANNING_KEYS_URL = 'https://api.github.com/meta/public_keys/secret_scanning';

  /** A `mailto:` or `https:` address. */
  @IsOptional()
  @Matches(/^(mailto:[^\s@]+@\S+|https:\/\/\S+)$/, {
    message: '$property must be a mailto: or https: address',
  })
  SECURITY_CONTACT?: string;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) LOG_LEVEL = 'info';
}
