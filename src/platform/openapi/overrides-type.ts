import type { Type } from '@nestjs/common';
import { inheritTransformationMetadata, inheritValidationMetadata } from '@nestjs/mapped-types';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

/** The metadata key of ApiProperty in @nestjs/swagger; open-api-file.e2e.ts fails if it changes. */
const API_PROPERTY = 'swagger/apiModelProperties';

/** The metadata that the OpenAPI plugin adds to a class at build time. */
interface ReadByPlugin {
  _OPENAPI_METADATA_FACTORY?: () => Partial<Record<string, ApiPropertyOptions>>;
}

export type Overrides<T> = { [Name in keyof T]?: T[Name] | null };

/**
 * Creates a DTO with the fields of `declared`, whose initial values are defaults: each may be omitted,
 * or be null for its default. PartialType would fill in the defaults of omitted fields.
 */
export function OverridesType<T extends object>(
  declared: Type<T> & ReadByPlugin,
): Type<Overrides<T>> {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- the decorators below declare its fields
  const overrides = class {} as Type<Overrides<T>>;
  const { prototype } = overrides as { prototype: object };
  const plugin = declared._OPENAPI_METADATA_FACTORY?.() ?? {};
  for (const name of Object.keys(new declared())) {
    const own = Reflect.getMetadata(API_PROPERTY, declared.prototype as object, name) as
      ApiPropertyOptions | undefined;
    // In OpenAPI a default applies to an omitted field, which is not the case here. Descriptions and
    // form labels are given only once, on the original.
    const schema = {
      ...{ ...plugin[name], ...own },
      ...{ default: undefined, description: undefined, title: undefined, 'x-group': undefined },
    };
    const options = { ...schema, required: false, nullable: true } as ApiPropertyOptions;
    ApiProperty(options)(prototype, name);
    IsOptional()(prototype, name);
  }
  inheritValidationMetadata(declared, overrides);
  inheritTransformationMetadata(declared, overrides);
  return overrides;
}
