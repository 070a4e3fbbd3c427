import type { Numbers } from '@latchkey/ranking/number-values';

/** The largest gap between two numbers within a span. */
const MAX_GAP = 100;
/** OpenSearch allows a thousand clauses per query. */
const MAX_SPANS = 100;

interface Span {
  readonly first: number;
  last: number;
  readonly numbers: number[];
  readonly gaps: number[];
}

/**
 * Builds query filters for the allowed passages. The numbers of a knowledge base are mostly
 * consecutive, so they are expressed as ranges with exceptions: listing a hundred thousand numbers
 * takes nearly a megabyte.
 */
export function amongNumbers(allowed: Numbers | undefined): object[] {
  if (!allowed) return [];
  const spans: Span[] = [];
  for (const number of allowed) {
    const span = spans.at(-1);
    if (span && number > span.last && number - span.last <= MAX_GAP) {
      for (let gap = span.last + 1; gap < number; gap++) {
        if (!allowed.has(gap)) span.gaps.push(gap);
      }
      span.numbers.push(number);
      span.last = number;
    } else {
      spans.push({ first: number, last: number, numbers: [number], gaps: [] });
    }
  }
  const saved = ({ numbers, gaps }: Span) => numbers.length - gaps.length;
  const ranges = spans
    .filter((span) => saved(span) > 1)
    .sort((one, other) => saved(other) - saved(one))
    .slice(0, MAX_SPANS);
  const isRange = new Set(ranges);
  const terms = (number: number[]) => (number.length === 0 ? [] : [{ terms: { number } }]);
  const should = [
    ...ranges.map(({ first, last }) => ({ range: { number: { gte: first, lte: last } } })),
    ...terms(spans.filter((span) => !isRange.has(span)).flatMap(({ numbers }) => numbers)),
  ];
  // An empty list must match nothing.
  if (should.length === 0) return [{ terms: { number: [] } }];
  const missing = terms(ranges.flatMap(({ gaps }) => gaps));
  return [{ bool: { should, minimum_should_match: 1, must_not: missing } }];
}
