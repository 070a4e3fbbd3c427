import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { TypeID, typeid } from 'typeid-js';
import { idSchema, type TypeIdPrefix } from '../openapi/api-fields.js';
import { onMethod } from '../openapi/operation.js';
import { Problem } from '../problems/problem.js';

/** Creates a TypeID: the prefix and a UUIDv7, so that ids sort by creation time. */
export const newId = (prefix: TypeIdPrefix): string => typeid(prefix).toString();

/** Returns the lowest id that can be created at a time, in milliseconds since 1970. */
export function firstIdAt(prefix: TypeIdPrefix, time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
  return TypeID.fromUUID(prefix, uuid).toString();
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function isTypeId(prefix: TypeIdPrefix, value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.startsWith(`${prefix}_`) &&
    SUFFIX.test(value.slice(prefix.length + 1))
  );
}

@Injectable()
class TypeIdPipe implements PipeTransform<unknown, string> {
  constructor(private readonly prefix: TypeIdPrefix) {}

  transform(value: unknown): string {
    // A malformed id cannot exist, so it is not found.
    if (!isTypeId(this.prefix, value)) throw new Problem('not_found');
    return value;
  }
}

/** The path parameter `{<prefix>_id}`: `@IdParam('kb')` reads `{kb_id}`. */
export const IdParam =
  (
    prefix: Exclude<TypeIdPrefix, 'member' | 'chunk' | 'query' | 'audit' | 'usr' | 'grp' | 'run'>,
    name = `${prefix}_id`,
  ): ParameterDecorator =>
  (...target) => {
    Param(name, new TypeIdPipe(prefix))(...target);
    onMethod(ApiParam({ name, schema: idSchema(prefix) }))(...target);
  };
