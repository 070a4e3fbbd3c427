import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { IsOptionalNotNull } from '../../platform/http/fields.js';
import { IsText } from '../../platform/http/text.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const SUBJECT_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:id_token',
  ACCESS_TOKEN,
] as const;
const MAX_TOKEN = 16_384;

/** A token exchange (RFC 8693). */
export class TokenExchangeDto {
  @IsIn([TOKEN_EXCHANGE]) grant_type: typeof TOKEN_EXCHANGE;

  /** A JWT of a trusted issuer. */
  @IsString() @MaxLength(MAX_TOKEN) subject_token: string;

  @IsIn(SUBJECT_TOKEN_TYPES) subject_token_type: (typeof SUBJECT_TOKEN_TYPES)[number];

  /**
   * The id of the knowledge base, or of its trusted issuer. It is required if several knowledge bases trust
   * the same tokens, and recommended otherwise: your tokens then cannot be exchanged for anybody else’s
   * knowledge base.
   * @example 'kb_01kafdp6ygf4rs4s2cr5cvzwkc'
   */
  @IsOptionalNotNull() @IsText(1, 255) audience?: string;

  /**
   * Scopes of the client token, separated by spaces; by default all scopes of the trusted issuer.
   * @example 'query'
   */
  @IsOptionalNotNull() @IsText(1, 255) scope?: string;

  @IsOptionalNotNull() @IsIn([ACCESS_TOKEN]) requested_token_type?: typeof ACCESS_TOKEN;
}

export class ExchangedTokenDto {
  /** A client token. */
  @ApiProperty({ pattern: '^rag_client_' }) access_token: string;
  issued_token_type: typeof ACCESS_TOKEN;
  token_type: 'Bearer';
  /**
   * The life of the token in seconds: a quarter of an hour, or less if the exchanged token expires earlier.
   * @example 900
   */
  expires_in: number;
  /** @example 'query chat' */
  scope: string;
}
