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
  IsPath,
  IsSearchUrl,
  IsSecureUrl,
  IsUrlOf,
  Secret,
  toList,
} from './validators.js';
import { IsModelPrices, ModelPrices } from './model-prices.js';
import { IsOrigin } from '../http/fields.js';

/** The upper limit of MAX_UPLOAD_BYTES. */
export const MAX_UPLOAD_BYTES = 100 * 1024 * 1024;

const KEY_KINDS = ['live', 'test', 'admin'] as const;

type KeyKind = (typeof KEY_KINDS)[number];

const AUDIT_SCOPES = ['sign_ins', 'refusals', 'conversation_reads'] as const;

export type AuditScope = (typeof AUDIT_SCOPES)[number];

/**
 * The environment variables, each declared here alone: name, type, default, validation, and whether
 * it is secret. The comments and sections are those of docs/configuration.md, which
 * `npm run openapi` writes from this file.
 */
export class Environment {
  // Section: The process

  /** Production requires `DASHBOARD_AUTH_MODE` and `API_KEY_PEPPERS`. */
  @IsIn(['development', 'test', 'production'])
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  /** The address to listen on; `trust` requires a loopback address. */
  @IsString() @IsNotEmpty() HOST = '127.0.0.1';

  /** The address at which users reach the service, such as `https://kb.example.com`; links to [originals](api.md#originals) begin with it, as do links to [the portal](api-keys.md#the-portal), and [proofs](api-keys.md#keys-that-are-bound-to-a-key-pair) name it. Without it links are paths. */
  @IsOptional() @IsHttpUrl() PUBLIC_URL?: string;

  /** The port to listen on; 0 takes a free one. */
  @IsInteger(0, 65535) PORT = 3000;

  /** Holds SQLite’s database and search indexes, uploads and the generated pepper. Each start makes it inaccessible to other users of the machine. */
  @IsPath() DATA_DIR = './data';

  /** How long running requests may take after a stop signal. */
  @IsInteger(0, 3600) SHUTDOWN_GRACE_SECONDS = 10;

  /** Serves `GET /metrics` for Prometheus on this port of `HOST`. */
  @IsOptional() @IsInteger(1, 65535) METRICS_PORT?: number;

  /** JSON lines on standard output. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) LOG_LEVEL = 'info';

  /** The [plugins](plugins.md) to run; a name prefixed by `-` is left out, and `none` runs only the core. All by default. */
  @toList @IsNotEmpty({ each: true }) PLUGINS: string[] = [];

  // Section: Database

  /** A `postgres://` URL of PostgreSQL 15 or later, which is used instead of SQLite. */
  @IsOptional() @IsUrlOf('postgres', 'postgresql') @Secret DATABASE_URL?: string;

  /** A `postgres://` URL of a streaming standby of `DATABASE_URL`, which [takes the reads](operations.md#a-read-replica) of lists, history, reports and passages as long as it is up to date. */
  @IsOptional()
  @IsUrlOf('postgres', 'postgresql')
  @IsGivenBeside('DATABASE_URL', 'SQLite has no replica')
  @Secret
  DATABASE_REPLICA_URL?: string;

  /** The maximum number of PostgreSQL connections of each process, to the primary and to the replica; one more writes the index. */
  @IsInteger(1, 1000) DATABASE_POOL_SIZE = 10;

  /** `transaction` if PostgreSQL is behind a pooler in transaction mode, such as PgBouncer. */
  @IsIn(['none', 'transaction']) DATABASE_POOLER: 'none' | 'transaction' = 'none';

  /** How long a request waits for a connection, new or free. */
  @IsInteger(1) DATABASE_ACQUIRE_TIMEOUT_MS = 1500;

  /** How long one statement may take. */
  @IsInteger(1) DATABASE_STATEMENT_TIMEOUT_MS = 1500;

  /** A `redis://` URL: rate limits are counted there instead of in PostgreSQL or, on SQLite, in memory. */
  @IsOptional() @IsUrlOf('redis', 'rediss') @Secret REDIS_URL?: string;

  /** How long a request waits for Redis before it is counted without it. */
  @IsInteger(1, 60_000) REDIS_TIMEOUT_MS = 250;

  // Section: Dashboard users

  /** What proves `X-Idp-User-Id`; see [authentication](authentication.md). `trust` unless given, but production requires it. */
  @IsOptional()
  @IsIn(['trust', 'gateway', 'oidc'])
  DASHBOARD_AUTH_MODE?: 'trust' | 'gateway' | 'oidc';

  /** `yes` allows `trust` in production, on any address and under any host name. */
  @IsIn(['yes', 'no']) DASHBOARD_AUTH_TRUST_UNSAFE: 'yes' | 'no' = 'no';

  /** Addresses and ranges of trusted proxies: their `X-Forwarded-For` is believed and, in mode `gateway`, their `X-Idp-User-Id`. `/0` is refused. */
  @toList @IsCidr() TRUSTED_PROXY_CIDRS: string[] = [];

  /** Mode `gateway`: secrets of at least 32 bytes; each is accepted, so that they can be rotated. */
  @toList @IsHeaderSecret(32) @Secret GATEWAY_SECRETS: string[] = [];

  /** Mode `oidc`: the provider’s issuer, exactly as in its tokens. */
  @IsOptional() @IsSecureUrl() OIDC_ISSUER?: string;

  /** Mode `oidc`: the name of this service in the tokens’ `aud`. */
  @IsOptional() @IsString() OIDC_AUDIENCE?: string;

  /** Mode `oidc`: the URL of the provider’s public keys; by default taken from its discovery document. */
  @IsOptional() @IsSecureUrl() OIDC_JWKS_URL?: string;

  /** Mode `oidc`: clients of the provider whose tokens (`azp`) are accepted, beside `OIDC_AUDIENCE` and the console’s. */
  @toList @IsNotEmpty({ each: true }) OIDC_AUTHORIZED_PARTIES: string[] = [];

  /** Mode `oidc`: the claim that names the groups of the user, a string or a list of at most 500, such as `groups`. Without it users have no groups. */
  @IsOptional() @IsString() @IsNotEmpty() OIDC_GROUPS_CLAIM?: string;

  /** Mode `oidc`, with `PUBLIC_URL`: a scope of the provider that tokens for `/mcp` must have, and that [agents](clients.md#agents-that-sign-their-person-in) ask for. Without it, none is required. */
  @IsOptional() @IsString() @Matches(/^[\x21\x23-\x5b\x5d-\x7e]+$/) MCP_OIDC_SCOPE?: string;

  /** Mode `oidc`: the console’s client at the provider, a public one with PKCE whose redirect URI is `<origin>/console/signed-in`, and whose post-logout redirect URI is `<origin>/console/`. With the redirect URI `<origin>/docs/signed-in` it signs in to Swagger UI too. Without it neither can sign anybody in. */
  @IsOptional() @IsString() @IsNotEmpty() CONSOLE_OIDC_CLIENT_ID?: string;

  /** Mode `oidc`: the scopes that the console asks for; with `offline_access` it renews its token by itself. */
  @IsString() @IsNotEmpty() CONSOLE_OIDC_SCOPE = 'openid offline_access';

  /** Mode `oidc`: the resource (RFC 8707) of the console’s tokens, where the provider names their audience only then. */
  @IsOptional() @IsString() @IsNotEmpty() CONSOLE_OIDC_RESOURCE?: string;

  /** Which attribute of a user that an identity provider pushes by [SCIM](authentication.md#scim) is their `X-Idp-User-Id`, and the `end_user_id` of their client tokens. */
  @IsIn(['userName', 'externalId']) SCIM_USER_ID: 'userName' | 'externalId' = 'userName';

  /** Origins whose web pages may call the management endpoints from a browser, such as `https://dashboard.example.com`. */
  @toList @IsOrigin() DASHBOARD_ALLOWED_ORIGINS: string[] = [];

  // Section: API keys

  /** `id:base64` of at least 32 bytes; several separated by commas, the current one first: see [peppers](api-keys.md#the-pepper). Unless given, one is generated and kept in `DATA_DIR`; production requires it. */
  @ValidateIf((environment: Environment) => environment.NODE_ENV === 'production')
  @Matches(/./, { message: '$property must be given in production' })
  @IsString()
  @Secret
  API_KEY_PEPPERS?: string;

  /** The bcrypt cost of new keys. */
  @IsInteger(4, 15) API_KEY_BCRYPT_COST = 10;

  /** Where GitHub publishes the keys that it signs leak reports with; http on a loopback address only. */
  @IsSecureUrl()
  GITHUB_SECRET_SCANNING_KEYS_URL = 'https://api.github.com/meta/public_keys/secret_scanning';

  /** A `mailto:` or `https:` address for `/.well-known/security.txt`. */
  @IsOptional()
  @Matches(/^(mailto:[^\s@]+@\S+|https:\/\/\S+)$/, {
    message: '$property must be a mailto: or https: address',
  })
  SECURITY_CONTACT?: string;

  /** The maximum lifetime of API keys and keys of service accounts, in days. New ones without `expires_at` get one; existing ones stay valid, and are shown with `policy_violations`. No limit by default. */
  @IsOptional() @IsInteger(1, 3650) KEY_POLICY_MAX_AGE_DAYS?: number;

  /** The environments whose keys must have `expires_at`; `admin` stands for keys of service accounts. */
  @toList @IsIn(KEY_KINDS, { each: true }) KEY_POLICY_REQUIRE_EXPIRY: KeyKind[] = [];

  /** The environments whose keys must have `allowed_ips`, by the same names. */
  @toList @IsIn(KEY_KINDS, { each: true }) KEY_POLICY_REQUIRE_ADDRESSES: KeyKind[] = [];

  // Section: Limits

  /** The maximum size of one uploaded file, in bytes. */
  @IsInteger(1, MAX_UPLOAD_BYTES) MAX_UPLOAD_BYTES = 20 * 1024 * 1024;

  /** The number of files that one user may upload to one process at the same time; more are answered 429. */
  @IsInteger(1) MAX_PARALLEL_UPLOADS_PER_USER = 8;

  /** The number of knowledge bases that one user may create; deleted ones do not count. */
  @IsInteger(1) MAX_KNOWLEDGE_BASES_PER_USER = 1000;

  /** The number of documents in one knowledge base. */
  @IsInteger(1) MAX_DOCUMENTS_PER_KNOWLEDGE_BASE = 1_000_000;

  /** The total size of the uploaded documents of one knowledge base, in bytes. */
  @IsInteger(1) MAX_BYTES_PER_KNOWLEDGE_BASE = 50 * 1024 ** 3;

  /** The number of usable API keys of one knowledge base; revoked, expired and deleted ones do not count. */
  @IsInteger(1) MAX_API_KEYS_PER_KNOWLEDGE_BASE = 1000;

  /** The number of curated answers of one knowledge base. */
  @IsInteger(1, 10_000) MAX_CURATED_ANSWERS_PER_KNOWLEDGE_BASE = 1000;

  /** The number of users that the identity provider of one service account may push; deleted ones count, since they stay locked out. */
  @IsInteger(1) MAX_DIRECTORY_USERS = 100_000;

  /** The number of groups that it may push. */
  @IsInteger(1) MAX_DIRECTORY_GROUPS = 10_000;

  /** The number of members of all these groups together. */
  @IsInteger(1) MAX_DIRECTORY_MEMBERSHIPS = 1_000_000;

  /** How long the audit events of a deleted knowledge base are kept; its former owners can read them. */
  @IsInteger(1, 36_500) AUDIT_RETENTION_DAYS = 365;

  /** Where each audit event is written as [one line of OCSF](audit.md): `stdout`, `file:/path` or `s3://bucket/prefix`. Not written by default. */
  @IsOptional()
  @Matches(
    /^(stdout|file:\/.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[\w.!-]+)*\/?)$/,
    { message: '$property must be stdout, file:/path or s3://bucket/prefix' },
  )
  AUDIT_LOG?: string;

  /** The events written there besides changes: `sign_ins`, `refusals`, `conversation_reads`, [separated by commas](audit.md#what-else-is-told). */
  @toList
  @IsIn(AUDIT_SCOPES, { each: true })
  @ValidateIf(({ AUDIT_SCOPE }: { AUDIT_SCOPE: unknown[] }) => AUDIT_SCOPE.length > 0)
  @IsGivenBeside('AUDIT_LOG', 'events of AUDIT_SCOPE are written nowhere else')
  AUDIT_SCOPE: AuditScope[] = [];

  /** `yes` allows webhooks by http and to private addresses. */
  @IsIn(['yes', 'no']) WEBHOOK_ALLOW_PRIVATE: 'yes' | 'no' = 'no';

  /** `yes` allows trusted issuers by http and at private addresses, such as that of Kubernetes in the cluster. */
  @IsIn(['yes', 'no']) TRUSTED_ISSUER_ALLOW_PRIVATE: 'yes' | 'no' = 'no';

  // Section: Channels

  /** The base of Slack’s Web API, for [channels](channels.md); another one is for proxies and tests. */
  @IsHttpUrl() SLACK_API_URL = 'https://slack.com/api';

  // Section: Sources

  /** The folders of this machine in which sources of the kind `folder` may be; none by default. They must neither contain `DATA_DIR` or the file of `AUDIT_LOG` nor be inside it. */
  @toList @IsNotEmpty({ each: true }) SOURCE_FOLDERS: string[] = [];

  /** `yes` allows sources at private addresses. */
  @IsIn(['yes', 'no']) SOURCE_ALLOW_PRIVATE: 'yes' | 'no' = 'no';

  /** The number of documents of one source; a longer listing fails and changes nothing. */
  @IsInteger(1, 1_000_000) MAX_DOCUMENTS_PER_SOURCE = 100_000;

  // Section: Originals of documents

  /** Where [originals](operations.md#originals-of-documents) are kept: `files` (in `DATA_DIR`; SQLite’s default), `database` (PostgreSQL’s) or `s3://bucket/prefix`. */
  @IsOptional()
  @Matches(
    /^(files|database|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[\w.!-]+)*\/?)$/,
    { message: '$property must be files, database or s3://bucket/prefix' },
  )
  CONTENT_STORE?: string;

  /** The URL of an object store with the S3 API that is not Amazon’s, such as MinIO. */
  @IsOptional() @IsHttpUrl() CONTENT_STORE_ENDPOINT?: string;

  /** The region of the bucket. */
  @IsString() @IsNotEmpty() AWS_REGION = 'us-east-1';

  /** The credential for the bucket; required with `s3://…`. */
  @IsGivenForObjectStore() AWS_ACCESS_KEY_ID?: string;

  /** The credential for the bucket; required with `s3://…`. */
  @IsGivenForObjectStore() @Secret AWS_SECRET_ACCESS_KEY?: string;

  /** The session token; only with temporary credentials. */
  @IsOptional() @IsHeaderValue() @Secret AWS_SESSION_TOKEN?: string;

  // Section: Recognition of scans

  /** A server of docling-serve or PaddleOCR that recognises scanned pages and pictures instead of this machine, such as `http://localhost:5001`. */
  @IsOptional() @IsHttpUrl() OCR_BASE_URL?: string;

  /** The server’s credential, if it requires one. */
  @IsOptional() @IsHeaderValue() @Secret OCR_API_KEY?: string;

  /** The time limit of one page there. */
  @IsInteger(10, 600_000) OCR_TIMEOUT_MS = 120_000;

  // Section: Search

  /** The time limit of a search, after which the response has the results so far, and `"partial": true`. */
  @IsInteger(1, 60_000) SEARCH_TIMEOUT_MS = 2000;

  /** `https://user:password@host:9200` of an OpenSearch cluster (2 or 3), several by commas, in which the words and vectors of passages are then [looked up](search.md#a-search-engine) instead of in the database; http on a loopback address only. */
  @toList @IsSearchUrl() @Secret SEARCH_URL: string[] = [];

  /** The number of passages from which a knowledge base gets [its own index](operations.md#a-search-engine) there; 0 for never, also for those that have one. */
  @IsInteger(0, 1_000_000_000) SEARCH_OWN_INDEX_PASSAGES = 1_000_000;

  /** What finds passages by their meaning: `local`, a model on this machine, which is installed in the background where there is none; `endpoint`; or `off`. Without it the endpoint, if EMBEDDINGS_BASE_URL names one, else `local`. */
  @IsOptional() @IsIn(['local', 'endpoint', 'off']) EMBEDDINGS?: 'local' | 'endpoint' | 'off';

  /** An OpenAI-compatible server whose `/embeddings` finds passages by meaning, such as `http://localhost:11434/v1`. */
  @IsOptional() @IsHttpUrl() EMBEDDINGS_BASE_URL?: string;

  /** The endpoint’s model; after a change all vectors are computed again. */
  @IsGivenWith('EMBEDDINGS_BASE_URL') EMBEDDINGS_MODEL?: string;

  /** The endpoint’s credential, if it requires one. */
  @IsOptional() @IsHeaderValue() @Secret EMBEDDINGS_API_KEY?: string;

  /** The folder or file of a sentence-embedding model (ONNX) on this machine, instead of an endpoint. */
  @IsOptional() @IsNotGivenWith('EMBEDDINGS_BASE_URL') @IsPath() EMBEDDINGS_MODEL_PATH?: string;

  /** How long a question waits for its vector; after that, search uses words only. */
  @IsInteger(10, 60_000) EMBEDDINGS_TIMEOUT_MS = 800;

  /** A server whose `/rerank` orders the best 50 passages by their relevance, such as `https://api.cohere.com/v2`; without it they stay in the order of the search. */
  @IsOptional() @IsHttpUrl() RERANK_BASE_URL?: string;

  /** The reranker’s model, if it has several. */
  @IsOptional() @IsString() @IsNotEmpty() RERANK_MODEL?: string;

  /** The reranker’s credential, if it requires one. */
  @IsOptional() @IsHeaderValue() @Secret RERANK_API_KEY?: string;

  /** How long a search waits for the reranker. */
  @IsInteger(10, 60_000) RERANK_TIMEOUT_MS = 300;

  // Section: Language model

  /** An OpenAI-compatible server that writes answers, such as `https://api.example.com/v1`; without it answers are quoted. */
  @IsOptional() @IsHttpUrl() LLM_BASE_URL?: string;

  /** The model, unless a knowledge base names another one. */
  @IsGivenWith('LLM_BASE_URL') LLM_MODEL?: string;

  /** The models that knowledge bases may name beside `LLM_MODEL`; where one is no longer listed, `LLM_MODEL` answers. */
  @IsOptional()
  @toList
  @IsNotEmpty({ each: true })
  @MaxLength(200, { each: true })
  @IsGivenBeside('LLM_BASE_URL', 'without it answers are quoted')
  LLM_MODELS?: string[];

  /** The provider’s credential. */
  @IsOptional() @IsHeaderValue() @Secret LLM_API_KEY?: string;

  /** The maximum length of each answer of the model, in tokens. */
  @IsInteger(1, 1_000_000) LLM_MAX_TOKENS = 4096;

  /** What models cost, as JSON or the path of a file with it: [prices](operations.md#prices-of-models) of a million tokens, by the model’s name. Another model costs nothing. */
  @IsOptional() @IsModelPrices() LLM_PRICES?: ModelPrices;

  /** How long the model may be silent; a whole answer may take ten times as long. */
  @IsInteger(100, 600_000) LLM_TIMEOUT_MS = 30_000;
}
