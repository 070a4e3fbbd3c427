import type { QuotablePassage } from './reading.js';
import type { Span } from './spans.js';
import type { RatedUnit } from './unit-features.js';
import { HEADING_SEPARATOR } from './units.js';

export const YEAR = /(?<!\p{Nd})(?:19|20)\d\d(?!\p{Nd})/gu;
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;

type Named = Pick<QuotablePassage, 'title' | 'heading' | 'document' | 'date'>;

/** A passage that says the same as another one with other numbers. */
interface Edition {
  /** Its heading or title. */
  readonly name: string;
  readonly year: number;
}

/**
 * The passages whose quoted text differs from that of another one by its numbers alone, and that are
 * titled with different years: the price lists of 2025 and of 2026.
 */
export function findEditions(
  spans: readonly Span[],
  passages: readonly Named[],
): ReadonlyMap<number, Edition> {
  const byWording = new Map<string, Map<number, Edition>>();
  for (const { passage, units } of spans) {
    const edition = readEdition(passages[passage]);
    if (!edition) continue;
    for (const { text } of units) {
      if (!text.match(NUMBER)) continue;
      const wording = text.replace(NUMBER, '0');
      const same = byWording.get(wording) ?? new Map<number, Edition>();
      byWording.set(wording, same.set(passage, edition));
    }
  }
  return new Map(
    [...byWording.values()].flatMap((same) => {
      const years = new Set([...same.values()].map(({ year }) => year));
      return years.size > 1 ? [...same] : [];
    }),
  );
}

/** Moves all editions to the place of the first one, the newest first. */
export function sortNewestFirst(
  spans: readonly Span[],
  editions: ReadonlyMap<number, Edition>,
): readonly Span[] {
  const isEdition = ({ passage }: Span) => editions.has(passage);
  const getYear = ({ passage }: Span) => editions.get(passage)?.year ?? 0;
  const first = spans.findIndex(isEdition);
  if (first < 0) return spans;
  return [
    ...spans.slice(0, first),
    ...spans.filter(isEdition).sort((one, other) => getYear(other) - getYear(one)),
    ...spans.slice(first).filter((span) => !isEdition(span)),
  ];
}

/**
 * What to call the passages whose documents have different values for what is asked and are of different days:
 * the title of the document with its day.
 *
 * @param findValue the value that is asked for, in a unit
 */
export function nameDatedValues(
  spans: readonly Span[],
  passages: readonly Named[],
  findValue: (unit: RatedUnit) => string | undefined,
): ReadonlyMap<number, string> {
  const dated = spans.flatMap(({ passage, units }) => {
    const { document, date, title } = passages[passage] ?? {};
    const value = units.map(findValue).find((one) => one !== undefined);
    if (value === undefined || document === undefined || date === undefined) return [];
    return { passage, document, date, value, name: title ? `${title}, ${date}` : date };
  });
  const differs = (one: (typeof dated)[number]) =>
    dated.some(
      ({ document, date, value }) =>
        document !== one.document && date !== one.date && value !== one.value,
    );
  return new Map(dated.filter(differs).map(({ passage, name }) => [passage, name]));
}

function readEdition(passage: Named | undefined): Edition | undefined {
  const names = [passage?.heading?.split(HEADING_SEPARATOR).at(-1), passage?.title];
  for (const name of names) {
    const years = name?.match(YEAR) ?? [];
    if (name !== undefined && years.length === 1) return { name, year: Number(years[0]) };
  }
  return undefined;
}
