import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidationOptions,
  validateSync,
} from 'class-validator';

import { isIpRange } from './ip-address.js';

/** Stops the start. Its message names variables and what they must be, never what they are. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
);

const toList = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value,
);

/** A range that is not everybody: `/0` is refused. */
const IsCidr = (options: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isCidr',
      validator: {
        validate: (value: unknown) => isIpRange(value) && !value.endsWith('/0'),
        defaultMessage: () =>
          '$property must list IP addresses and CIDR ranges, separated by commas; /0 would trust everybody',
      },
    },
    options,
  );

/** The environment variables, as they are spelt. Each is described in the README. */
class Environment {
  @IsIn(['development', 'test', 'production'])
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  @toInteger
  @IsInt()
  @Min(0)
  @Max(65535)
  PORT = 3000;

  @IsString()
  @IsNotEmpty()
  HOST = '127.0.0.1';

  @IsString()
  @IsNotEmpty()
  DATA_DIR = './data';

  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/./, { message: '$property must be a postgres:// URL' })
  DATABASE_URL?: string;

  @toInteger
  @IsInt()
  @Min(1)
  @Max(1000)
  DATABASE_POOL_SIZE = 10;

  @toInteger
  @IsInt()
  @Min(1)
  DATABASE_ACQUIRE_TIMEOUT_MS = 1500;

  @toInteger
  @IsInt()
  @Min(1)
  DATABASE_STATEMENT_TIMEOUT_MS = 1500;

  @IsOptional()
  @IsIn(['trust'])
  DASHBOARD_AUTH_MODE?: 'trust';

  @IsOptional()
  @IsIn(['yes', 'no'])
  DASHBOARD_AUTH_TRUST_UNSAFE?: 'yes' | 'no';

  @IsOptional()
  @toList
  @IsCidr({ each: true })
  TRUSTED_PROXY_CIDRS?: string[];

  @ValidateIf((environment: Environment) => environment.NODE_ENV === 'production')
  @Matches(/./, { message: '$property must be given in production' })
  @IsString()
  API_KEY_PEPPERS?: string;

  @toInteger
  @IsInt()
  @Min(4)
  @Max(15)
  API_KEY_BCRYPT_COST = 10;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL = 'info';
}

export interface PostgresConfig {
  readonly url: string;
  /** Connections of this process at most. */
  readonly poolSize: number;
  /** How long a request waits for a connection, new or free. */
  readonly acquireTimeoutMs: number;
  /** How long one statement may take. */
  readonly statementTimeoutMs: number;
}

/** What the service runs with: the environment, validated once, typed and frozen. */
export class Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** PostgreSQL; undefined means SQLite in `dataDir`. */
  readonly postgres: PostgresConfig | undefined;
  readonly dashboardAuth: { readonly mode: 'trust'; readonly allowAnyHost: boolean };
  /** Peers whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** `API_KEY_PEPPERS`, not yet parsed; undefined lets the embedded default keep one in `dataDir`. */
  readonly apiKeyPeppers: string | undefined;
  readonly apiKeyBcryptCost: number;
  readonly logLevel: string;

  private constructor(environment: Environment) {
    this.production = environment.NODE_ENV === 'production';
    this.port = environment.PORT;
    this.host = environment.HOST;
    this.dataDir = resolve(environment.DATA_DIR);
    this.postgres =
      environment.DATABASE_URL === undefined
        ? undefined
        : {
            url: environment.DATABASE_URL,
            poolSize: environment.DATABASE_POOL_SIZE,
            acquireTimeoutMs: environment.DATABASE_ACQUIRE_TIMEOUT_MS,
            statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
          };
    this.dashboardAuth = dashboardAuth(environment);
    this.trustedProxies = environment.TRUSTED_PROXY_CIDRS ?? [];
    this.apiKeyPeppers = environment.API_KEY_PEPPERS;
    this.apiKeyBcryptCost = environment.API_KEY_BCRYPT_COST;
    this.logLevel = environment.LOG_LEVEL;
    Object.freeze(this);
  }

  /** @throws ConfigurationError with one line for each bad variable */
  static fromEnvironment(variables: NodeJS.ProcessEnv): Config {
    // An empty variable is how compose files and shells spell "not set".
    const given = Object.fromEntries(
      Object.keys(new Environment()).flatMap((name) =>
        variables[name] ? [[name, variables[name]]] : [],
      ),
    );
    const environment = plainToInstance(Environment, given);
    const problems = validateSync(environment).flatMap(({ constraints = {} }) =>
      Object.values(constraints),
    );
    if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
    return new Config(environment);
  }
}

/** Who may vouch for the header, refused where the answer would be "anyone". */
function dashboardAuth(environment: Environment): Config['dashboardAuth'] {
  const { DASHBOARD_AUTH_MODE: mode, NODE_ENV, HOST } = environment;
  const unsafe = environment.DASHBOARD_AUTH_TRUST_UNSAFE === 'yes';
  if (NODE_ENV === 'production' && !mode) {
    throw new ConfigurationError(
      'DASHBOARD_AUTH_MODE must be set in production: without it nobody vouches for the X-Idp-User-Id header',
    );
  }
  if (!unsafe && (NODE_ENV === 'production' || !isLoopback(HOST))) {
    throw new ConfigurationError(
      'DASHBOARD_AUTH_MODE=trust takes the X-Idp-User-Id header from anyone, so it starts only with a loopback HOST and outside production; DASHBOARD_AUTH_TRUST_UNSAFE=yes overrides this',
    );
  }
  return { mode: 'trust', allowAnyHost: unsafe };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
