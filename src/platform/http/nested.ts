import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import type { FieldContext } from './dto-fields.js';

const nested = (dto: () => Class): FieldContext => ({ dto });

/** An object that is a DTO. */
export const IsNested = (dto: () => Class) =>
  applyDecorators(IsObject(), ValidateNested({ context: nested(dto) }), Type(dto));

/** A list of at most `maxItems` objects, each of which is a DTO. */
export const IsNestedList = (dto: () => Class, maxItems: number) =>
  applyDecorators(
    ApiProperty({ maxItems }),
    IsArray(),
    ArrayMaxSize(maxItems),
    // A list in the list would be taken for a list of DTOs.
    IsObject({ each: true }),
    ValidateNested({ each: true, context: nested(dto) }),
    Type(dto),
  );
