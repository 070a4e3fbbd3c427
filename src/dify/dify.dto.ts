import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsInteger } from '../http/fields.js';
import { MAX_JSON_BYTES } from '../http/json-body.js';
import { ApiId, ApiInteger } from '../openapi/api-fields.js';
import { DIFY_OPERATORS } from './dify-operators.js';

const MAX_CONDITIONS = 20;
const MAX_VALUES = 100;
const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };

export class RetrievalSettingDto {
  @IsInteger(1, 50) top_k: number;

  /** Only records with at least this score, 0 to 1. */
  @IsOptional() @IsNumber() score_threshold?: number | null;
}

export class MetadataConditionDto {
  /** The keys of the metadata; one of them must meet the condition. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONDITIONS)
  @IsString({ each: true })
  @ApiProperty({ maxItems: MAX_CONDITIONS, items: TEXT, example: ['department'] })
  name: string[];

  /** As Dify names it. Those that search within texts, such as `contains`, are refused. */
  @IsString() @ApiProperty({ enum: DIFY_OPERATORS }) comparison_operator: string;

  @IsOptional()
  @ApiProperty({
    oneOf: [TEXT, { type: 'number' }, { type: 'array', maxItems: MAX_VALUES, items: TEXT }],
    example: 'support',
  })
  value?: unknown;
}

export class MetadataConditionsDto {
  @IsOptional() @IsIn(['and', 'or']) logical_operator?: 'and' | 'or' | null;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONDITIONS)
  @ValidateNested({ each: true })
  @Type(() => MetadataConditionDto)
  @ApiProperty({ type: [MetadataConditionDto], maxItems: MAX_CONDITIONS })
  conditions: MetadataConditionDto[];
}

/** What Dify sends to an external knowledge base. */
export class DifyRetrievalDto {
  /** The id of the key’s knowledge base. */
  @IsString() @ApiId('kb') knowledge_id: string;

  /** @example 'How long may customers return an order?' */
  @IsString() @ApiProperty({ minLength: 1, maxLength: 8000 }) query: string;

  @IsObject()
  @ValidateNested()
  @Type(() => RetrievalSettingDto)
  @ApiProperty({ type: RetrievalSettingDto, example: { top_k: 5 } })
  retrieval_setting: RetrievalSettingDto;

  @IsOptional()
  @ValidateNested()
  @Type(() => MetadataConditionsDto)
  metadata_condition?: MetadataConditionsDto | null;
}

export class DifyRecordDto {
  content: string;
  /** 0 to 1. */
  score: number;
  title: string;
  /** The document’s own, with its id, source and place. */
  metadata: Record<string, unknown>;
}

export class DifyRetrievalAnswerDto {
  records: DifyRecordDto[];
}

/** A problem as Dify reads it. */
export class DifyErrorDto {
  /** 1001, 1002 and 2001 are Dify’s own; all others are the HTTP status. */
  @ApiInteger() error_code: number;
  /** Our code, and what to do about it. */
  error_msg: string;
}
