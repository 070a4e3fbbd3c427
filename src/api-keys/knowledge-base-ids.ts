import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { IsOptionalNotNull } from '../platform/http/fields.js';
import { idSchema } from '../platform/openapi/api-fields.js';

/** The limit per key, because a question is searched in each of its knowledge bases. */
export const MAX_KNOWLEDGE_BASES = 20;

/**
 * The `kb_ids` of a question. Ids that the key does not open are answered with `not_found`, so their form
 * is not checked.
 */
export const AreKnowledgeBaseIds = () =>
  applyDecorators(
    IsOptionalNotNull(),
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_KNOWLEDGE_BASES),
    IsString({ each: true }),
    ApiProperty({
      type: 'array',
      items: idSchema('kb'),
      minItems: 1,
      maxItems: MAX_KNOWLEDGE_BASES,
    }),
  );
