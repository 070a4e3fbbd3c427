import { IsString } from 'class-validator';
import { IsOptionalNotNull } from '../platform/http/fields.js';
import { ApiSecret } from './api-secret.js';

/** A request body that may contain the credential; ApiKeyGuard reads it. */
export class CredentialDto {
  /** The secret of an API key, or a client token, unless the header `Authorization` has it. */
  @IsOptionalNotNull()
  @IsString()
  @ApiSecret()
  api_key?: string;
}
