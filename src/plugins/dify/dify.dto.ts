import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsNumber,
  IsOptional,
  IsString,
} from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { IsInteger, IsNested, IsNestedList } from '../../platform/http/fields.js';
import { MAX_JSON_BYTES } from '../../platform/http/json-body.js';
import { ApiId, ApiInteger } from '../../platform/openapi/api-fields.js';
import { DIFY_OPERATORS } from './dify-operators.js';

const MAX_CONDITIONS = 20;
const MAX_VALUES = 100;
const TEXT = { type: 'string', maxLength: MAX_JSON_BYTES };
const VALUES = [{ type: 'string', maxLength: MAX_JSON_BYTES }, { type: 'number' }];

export class RetrievalSettingDto {
  @IsInteger(1, 50) top_k: number;

  /** Only records with at least this score, 0 to 1. */
  @IsOptional() @IsNumber() score_threshold?: number | null;
}

export class MetadataConditionDto {
  /** The key of the metadata. Older versions of Dify send a list: one of its keys must meet the condition. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONDITIONS)
  @IsString({ each: true })
  @ApiProperty({
    oneOf: [TEXT, { type: 'array', minItems: 1, maxItems: MAX_CONDITIONS, items: TEXT }],
    example: 'department',
  })
  name: string | string[];

  /** As Dify names it. Those that search within texts, such as `contains`, are refused. */
  @IsString() @ApiProperty({ enum: DIFY_OPERATORS }) comparison_operator: string;

  @IsOptional()
  @ApiProperty({
    oneOf: [
      ...VALUES,
      ...VALUES.map((items) => ({ type: 'array', maxItems: MAX_VALUES, items })),
      { type: 'null' },
    ],
    example: 'support',
  })
  value?: unknown;
}

export class MetadataConditionsDto {
  @IsOptional() @IsIn(['and', 'or']) logical_operator?: 'and' | 'or' | null;

  /** Without any, nothing is filtered. */
  @IsOptional()
  @IsNestedList(() => MetadataConditionDto, MAX_CONDITIONS)
  @ApiProperty({ type: [MetadataConditionDto] })
  conditions?: MetadataConditionDto[] | null;
}

/** What Dify sends to an external knowledge base. */
export class DifyRetrievalDto {
  /** The id of the key’s knowledge base. */
  @IsString() @ApiId('kb') knowledge_id: string;

  /** @example 'How long may customers return an order?' */
  @IsString() @ApiProperty({ minLength: 1, maxLength: 8000 }) query: string;

  @IsNested(() => RetrievalSettingDto)
  @ApiProperty({ type: RetrievalSettingDto, example: { top_k: 5 } })
  retrieval_setting: RetrievalSettingDto;

  @IsOptional()
  @IsNested(() => MetadataConditionsDto)
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
