import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amongNumbers } from './among-numbers.js';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe(amongNumbers.name, () => {
  it('says by ranges what is seen, and what is missing in them', () => {
    const seen = new Set(upTo(100_000));
    seen.delete(500);
    expect(amongNumbers(seen)).toEqual([
      {
        bool: {
          should: [{ range: { number: { gte: 1, lte: 100_000 } } }],
          minimum_should_match: 1,
          must_not: [{ terms: { number: [500] } }],
        },
      },
    ]);
    expect(amongNumbers(new Set([70, 7, 900]))).toEqual([
      {
        bool: {
          should: [{ terms: { number: [70, 7, 900] } }],
          minimum_should_match: 1,
          must_not: [],
        },
      },
    ]);
    expect(amongNumbers(new Set())).toEqual([{ terms: { number: [] } }]);
    expect(amongNumbers(undefined)).toEqual([]);
  });

  it('finds all that is seen and nothing else, with a limited number of clauses', () => {
    const numbers = fc.uniqueArray(fc.nat(2000), { minLength: 1, maxLength: 1000 });
    fc.assert(
      fc.property(numbers, (given) => {
        const seen = new Set(given.toSorted((one, other) => one - other));
        const [filter] = amongNumbers(seen);
        const { should, must_not: missing } = (filter as Filter).bool;
        expect(should.length).toBeLessThanOrEqual(101);
        const found = upTo(2000).filter(
          (number) =>
            should.some((clause) => matches(clause, number)) &&
            !missing.some((clause) => matches(clause, number)),
        );
        expect(found).toEqual(upTo(2000).filter((number) => seen.has(number)));
      }),
    );
    const [filter] = amongNumbers(new Set([1, 2, 3, 4, 6, 7, 8, 5]));
    expect(filter).toMatchObject({ bool: { must_not: [] } });
  });
});

type Clause =
  | { readonly terms: { readonly number: readonly number[] } }
  | { readonly range: { readonly number: { readonly gte: number; readonly lte: number } } };

interface Filter {
  readonly bool: { readonly should: readonly Clause[]; readonly must_not: readonly Clause[] };
}

const matches = (clause: Clause, number: number): boolean =>
  'terms' in clause
    ? clause.terms.number.includes(number)
    : number >= clause.range.number.gte && number <= clause.range.number.lte;
