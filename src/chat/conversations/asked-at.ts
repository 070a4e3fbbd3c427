import { ApiProperty } from '@nestjs/swagger';
import { idSchema } from '../../platform/openapi/api-fields.js';
import { isTypeId } from '../../platform/http/type-id.js';

/** The site or the channel in which a conversation was asked. */
export class AskedAtDto {
  @ApiProperty({ ...idSchema('site'), required: false }) site_id?: string;
  @ApiProperty({ ...idSchema('chan'), required: false }) channel_id?: string;
}

/** @param prefix of a key that has no secret: the id of whatever asks with it */
export function toAskedAt(prefix: string | null): AskedAtDto | null {
  if (isTypeId('site', prefix)) return { site_id: prefix };
  return isTypeId('chan', prefix) ? { channel_id: prefix } : null;
}
