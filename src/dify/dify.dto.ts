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

const MAX_CONDITIONS = 20;

export class RetrievalSettingDto {
  @IsInteger(1, 50)
  top_k: number;

  /** Only records with at least this score, 0 to 1. */
  @IsOptional()
  @IsNumber()
  score_threshold?: number | null;
}

export class MetadataConditionDto {
  /** The keys of the metadata; one of them must meet the condition. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONDITIONS)
  @IsString({ each: true })
  name: string[];

  /** As Dify names it, such as `is`, `≥`, `before` or `in`. */
  @IsString()
  comparison_operator: string;

  @IsOptional()
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
  })
  value?: unknown;
}

export class MetadataConditionsDto {
  @IsOptional()
  @IsIn(['and', 'or'])
  logical_operator?: 'and' | 'or' | null;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CONDITIONS)
  @ValidateNested({ each: true })
  @Type(() => MetadataConditionDto)
  conditions: MetadataConditionDto[];
}

/** What Dify sends to an external knowledge base. */
export class DifyRetrievalDto {
  /** The id of the key’s knowledge base. */
  @IsString()
  knowledge_id: string;

  /** @example 'How long may customers return an order?' */
  @IsString()
  query: string;

  @IsObject()
  @ValidateNested()
  @Type(() => RetrievalSettingDto)
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
