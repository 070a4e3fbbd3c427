import { describe, expect, it } from '@jest/globals';
import { IsOptional, IsString } from 'class-validator';
import { Problem } from '../problems/problem.js';
import { IsInteger, IsOptionalNotNull, IsQueryBoolean } from './fields.js';
import { BodyValidationPipe } from './validation.pipe.js';

class Dto {
  @IsOptional()
  @IsString()
  nullable?: string | null;

  @IsOptionalNotNull()
  @IsString()
  name?: string;

  @IsOptionalNotNull()
  @IsInteger(1, 10)
  count?: number;

  @IsOptional()
  @IsQueryBoolean()
  flag?: boolean;

  @IsOptional()
  metadata?: object;
}

const pipe = new BodyValidationPipe();
const transform = (value: unknown) => pipe.transform(value, { type: 'body', metatype: Dto });

async function errorsOf(value: unknown): Promise<unknown> {
  const problem: unknown = await transform(value).catch((error: unknown) => error);
  return problem instanceof Problem ? problem.toBody('').errors : problem;
}

describe(BodyValidationPipe.name, () => {
  it('lets a field be left out, and be null only where it may', async () => {
    expect(await transform({})).toEqual({});
    expect(await transform({ nullable: null })).toEqual({ nullable: null });
    expect(await errorsOf({ name: null })).toEqual([
      { field: 'name', message: 'name must be a string' },
    ]);
  });

  it.each([0, 11, 1.5, '5', null])('refuses %j as a whole number from 1 to 10', async (count) => {
    expect(await errorsOf({ count })).toEqual([expect.objectContaining({ field: 'count' })]);
  });

  it('reads booleans of queries', async () => {
    expect(await transform({ flag: 'true' })).toEqual({ flag: true });
    expect(await transform({ flag: 'false' })).toEqual({ flag: false });
    expect(await errorsOf({ flag: '1' })).toEqual([
      { field: 'flag', message: 'flag must be true or false' },
    ]);
  });

  it('names unknown fields, also those that every object inherits', async () => {
    expect(await errorsOf({ other: 1 })).toEqual([
      { field: 'other', message: 'other is not a known field' },
    ]);
    expect(await errorsOf(JSON.parse('{"constructor":1,"__proto__":{}}'))).toEqual([
      { field: 'constructor', message: 'constructor is not a known field' },
      { field: '__proto__', message: '__proto__ is not a known field' },
    ]);
  });

  it('keeps the content of free-form fields, whatever its keys', async () => {
    const metadata: unknown = JSON.parse('{"constructor":1,"a":{"toString":2}}');
    expect(await transform({ metadata })).toEqual({ metadata });
  });
});
