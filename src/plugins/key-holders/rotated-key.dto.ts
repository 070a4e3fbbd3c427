import { SECRET_SCHEMA } from '../../api-keys/api-secret.js';
import type { SelfRotated } from '../../api-keys/api-key-issuer.js';
import { ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { ApiProperty } from '@nestjs/swagger';

/** The successor of a key, as its holder gets it. */
export class RotatedKeyDto {
  @ApiId('key') id: string;
  /** The full secret. Store it now: it is never shown again. */
  @ApiProperty(SECRET_SCHEMA) api_key: string;
  /** The part of the secret by which the key is listed. */
  prefix: string;
  @ApiInstant(null) expires_at: string | null;
  /** When the key that was rotated stops. */
  @ApiInstant() replaced_key_expires_at: string | null;
}

export const toRotatedKeyDto = ({
  successor,
  secret,
  replacedUntil,
}: SelfRotated): RotatedKeyDto => ({
  id: successor.id,
  api_key: secret,
  prefix: successor.prefix,
  expires_at: successor.expiresAt?.toISOString() ?? null,
  replaced_key_expires_at: replacedUntil?.toISOString() ?? null,
});
