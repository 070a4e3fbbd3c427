import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { IsCidr, IsOrigin, IsSecureUrl, MinByteLength, toInteger, toList } from './validators.js';

/** The environment variables, as they are spelt. Each is described in the README. */
export class Environment {
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
  @IsIn(['trust', 'gateway', 'oidc'])
  DASHBOARD_AUTH_MODE?: 'trust' | 'gateway' | 'oidc';

  @IsOptional()
  @toList
  @MinByteLength(32)
  GATEWAY_SECRETS?: string[];

  @IsOptional()
  @IsSecureUrl()
  OIDC_ISSUER?: string;

  @IsOptional()
  @IsString()
  OIDC_AUDIENCE?: string;

  @IsOptional()
  @IsSecureUrl()
  OIDC_JWKS_URL?: string;

  @IsOptional()
  @IsIn(['yes', 'no'])
  DASHBOARD_AUTH_TRUST_UNSAFE?: 'yes' | 'no';

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

  @toInteger
  @IsInt()
  @Min(4)
  @Max(15)
  API_KEY_BCRYPT_COST = 10;

  @toInteger
  @IsInt()
  @Min(0)
  @Max(3600)
  SHUTDOWN_GRACE_SECONDS = 10;

  /** A `mailto:` or `https:` address. */
  @IsOptional()
  @Matches(/^(mailto:\S+@\S+|https:\/\/\S+)$/, {
    message: '$property must be a mailto: or https: address',
  })
  SECURITY_CONTACT?: string;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL = 'info';
}
