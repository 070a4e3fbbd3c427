import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { ApiCount } from '../../platform/openapi/api-fields.js';
import { MAX_OPEN_JSON_BYTES } from '../../platform/http/json-body.js';
import { SECRET_SCHEMA } from '../../api-keys/api-secret.js';

export class LeakReportDto {
  /** 1 to 100 secrets, as they were found. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @ApiProperty({
    items: { type: 'string', maxLength: MAX_OPEN_JSON_BYTES },
    example: [SECRET_SCHEMA.example],
  })
  api_keys: string[];
}

export class LeakVerdictDto {
  /** The position of the secret in the report, from 0. */
  @ApiCount() index: number;
  /**
   * `revoked` by this report, `already_revoked` before it, or `unknown` if it is not a key of ours.
   * @example 'revoked'
   */
  status: 'revoked' | 'already_revoked' | 'unknown';
}

export class LeakReportAnswerDto {
  /** The results, in the order of the report. */
  results: LeakVerdictDto[];
}
