import { declareProviders } from '../../platform/discovery/declared-providers.js';
import type { ExchangedTokenDto, TokenExchangeDto } from './token-exchange.dto.js';

/** Makes client tokens for tokens of others (RFC 8693). */
export interface TokenExchanger {
  /**
   * @param ip the client's address
   * @throws Problem `invalid_subject_token`, `insufficient_scope`, `rate_limited` or
   * `identity_provider_unavailable`
   */
  exchange(dto: TokenExchangeDto, ip: string): Promise<ExchangedTokenDto>;
}

/** Declares the provider that exchanges tokens; without one no token is accepted. */
export const ExchangesTokens = declareProviders<TokenExchanger>();
