import { ApiCount } from '../../platform/openapi/api-fields.js';

/** The tokens that an answer used, as the model counts them. */
export class TokenUsageDto {
  @ApiCount() prompt_tokens: number;
  @ApiCount() completion_tokens: number;
}

export const toTokenUsageDto = ({
  promptTokens,
  completionTokens,
}: {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}): TokenUsageDto | null =>
  promptTokens === null || completionTokens === null
    ? null
    : { prompt_tokens: promptTokens, completion_tokens: completionTokens };
