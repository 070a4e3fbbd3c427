import { ApiProperty } from '@nestjs/swagger';
import { idSchema } from '../../platform/openapi/api-fields.js';
import { isTypeId } from '../../platform/http/type-id.js';

/** The site or the channel in which a conversation was asked. */
export class AskedAtDto {
  @ApiProperty({ ...idSchema('site'), required: false }) site_id?: string;
  @ApiProperty({ ...idSchema('chan'), required: false }) channel_id?: string;
}

/** The key without a secret that a site or a channel asks with has its id. */
export const sqlKeyOfPlace = (place: string) =>
  `SELECT id FROM api_keys WHERE fast_hash = ${place} AND secret_hash = ''`;

/** @param prefix of a key that has no secret: the id of whatever asks with it */
export function toAskedAt(prefix: string | null): AskedAtDto | null {
  if (isTypeId('site', prefix)) return { site_id: prefix };
  return isTypeId('chan', prefix) ? { channel_id: prefix } : null;
}
