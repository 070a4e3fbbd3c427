import { describe, expect, it } from '@jest/globals';
import { PartialType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsOptional, IsString } from 'class-validator';
import { Problem } from '../problems/problem.js';
import { requireBounds, toBodyShape } from './body-shape.js';
import { getDtoFields } from './dto-fields.js';
import { IsNested, IsNestedList } from './fields.js';
import { BodyValidationPipe } from './validation.pipe.js';

class Inner {
  @IsString() name: string;
  @IsOptional() @ArrayMaxSize(2) @IsString({ each: true }) tags?: string[];
}

class Outer {
  @IsOptional() @IsNested(() => Inner) inner?: Inner;
  @IsOptional() @IsNestedList(() => Inner, 3) inners?: Inner[];
  @IsOptional() any?: unknown;
}

class Derived extends PartialType(PickType(Outer, ['inners'])) {}

const pipe = new BodyValidationPipe();

async function errorsOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.toBody('').errors;
  }
}
const errorsOfBody = (value: unknown, metatype: new () => object = Outer) =>
  errorsOf(() => pipe.transform(value, { type: 'body', metatype }));

const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));

describe(getDtoFields.name, () => {
  it('reads the sizes that decorators declare, of derived DTOs too', () => {
    expect(getDtoFields(Inner).get('tags')).toMatchObject({ maxItems: 2, dto: undefined });
    const inners = { maxItems: 3, dto: Inner, isList: true };
    expect(getDtoFields(Outer).get('inners')).toMatchObject(inners);
    expect(getDtoFields(Derived)).toEqual(new Map([['inners', expect.objectContaining(inners)]]));
  });
});

describe(toBodyShape.name, () => {
  it('leaves what is no DTO as it is', async () => {
    const any = { deep: [JSON.parse('{"constructor":1}')] };
    const body = { any, inner: { name: 'x', tags: ['a', 'b'] }, inners: [{ name: 'y' }] };
    const dto = (await pipe.transform(body, { type: 'body', metatype: Outer })) as Outer;
    expect(dto).toEqual(body);
    expect(dto.any).toBe(any);
    expect(dto.inner).toBeInstanceOf(Inner);
    expect(dto.inners?.[0]).toBeInstanceOf(Inner);
  });

  it.each([
    [{ inner: [] }, 'inner', 'inner must be an object'],
    [{ inner: [[]] }, 'inner', 'inner must be an object'],
    [{ inner: [{ name: 'x' }] }, 'inner', 'inner must be an object'],
    [{ inners: [[]] }, 'inners', 'each value in inners must be an object'],
    [{ inners: [[{ name: 'x' }]] }, 'inners', 'each value in inners must be an object'],
    [{ inners: ['x'] }, 'inners', 'each value in inners must be an object'],
    [[], '', 'the body must be an object'],
    ['x', '', 'the body must be an object'],
  ])('refuses %j, which is no object where one belongs', async (body, field, message) => {
    expect(await errorsOfBody(body)).toEqual(expect.arrayContaining([{ field, message }]));
  });

  it.each([
    [fields(101), '', 'the body must have at most 100 fields'],
    [{ inner: fields(101) }, 'inner', 'inner must have at most 100 fields'],
    [{ inners: [{ name: 'x' }, fields(101)] }, 'inners.1', 'inners.1 must have at most 100 fields'],
    [{ inners: Array(4).fill({}) }, 'inners', 'inners must contain no more than 3 elements'],
    [
      { inner: { tags: ['a', 'b', 'c'] } },
      'inner.tags',
      'inner.tags must contain no more than 2 elements',
    ],
    [{ any: Array(1001).fill(1) }, 'any', 'any must contain no more than 1000 elements'],
    [{ any: fields(101) }, 'any', 'any must have at most 100 fields'],
  ])('refuses what there is too much of, alone', async (body, field, message) => {
    expect(await errorsOfBody(body)).toEqual([{ field, message }]);
  });

  it('ends with the hundredth unknown field', async () => {
    const errors = await errorsOfBody({ inners: [fields(99), { f: 1 }, fields(50)] });
    expect(errors).toHaveLength(100);
    expect(await errorsOfBody({ ...fields(2), inner: { name: 1 } })).toEqual([
      { field: 'f0', message: 'f0 is not a known field' },
      { field: 'f1', message: 'f1 is not a known field' },
      { field: 'inner.name', message: 'name must be a string' },
    ]);
  });
});

describe(requireBounds.name, () => {
  it.each([undefined, null, 1, 'x', [], {}, { a: fields(100) }, [Array(1000).fill(1)]])(
    'takes a body without a DTO (%#)',
    (body) => {
      expect(() => {
        requireBounds(body, 'the body');
      }).not.toThrow();
    },
  );

  it.each([
    [{ a: [fields(101)] }, 'a.0', 'a.0 must have at most 100 fields'],
    [{ a: Array(1001).fill(1) }, 'a', 'a must contain no more than 1000 elements'],
    [Array(20).fill(Array(600).fill(1)), '', 'the body must have at most 10000 values'],
  ])('refuses one with too much of anything', async (body, field, message) => {
    const errors = await errorsOf(() => {
      requireBounds(body, 'the body');
    });
    expect(errors).toEqual([{ field, message }]);
  });
});
