import { ApiCount } from '../openapi/api-fields.js';

/** What an answer cost, in the model's tokens. */
export class UsageDto {
  @ApiCount()
  prompt_tokens: number;
  @ApiCount()
  completion_tokens: number;
}

export const toUsageDto = (usage: {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}): UsageDto | null =>
  usage.promptTokens === null || usage.completionTokens === null
    ? null
    : { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
