import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { ApiCount } from '../http/api-fields.js';

export class LeakReportDto {
  /**
   * 1 to 100 secrets as they were found.
   * @example ["rag_live_8fJ2kQ9xZaP0mW4vT7cR1yB6nH3sD5gL2jK8qF9eX1uVaBcDe"]
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  api_keys: string[];
}

export class LeakVerdictDto {
  /** Which of the reported secrets, from 0. */
  @ApiCount()
  index: number;
  /** `revoked` by this report; `already_revoked` before; `unknown` is no key of ours. */
  status: 'revoked' | 'already_revoked' | 'unknown';
}

export class LeakReportAnswerDto {
  /** In the order of the report. */
  results: LeakVerdictDto[];
}
