import { ApiProperty } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';

/** 32 bytes in base64url; only four bits of the last character are theirs. */
const THUMBPRINT = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** A key pair, whose holder alone can use a credential. */
export class SenderConstraintDto {
  @IsIn(['dpop']) type: 'dpop';
  /** The thumbprint (RFC 7638) of the public key, by SHA-256. */
  @Matches(THUMBPRINT, { message: '$property must be the SHA-256 thumbprint of a key (RFC 7638)' })
  @ApiProperty({ pattern: THUMBPRINT.source, maxLength: 43 })
  jkt: string;
}

export const toSenderConstraint = (jkt: string | null | undefined): SenderConstraintDto | null =>
  typeof jkt === 'string' ? { type: 'dpop', jkt } : null;
