import { findYears } from '@latchkey/text/years';

/** What tells of which year a passage is. */
export interface Dated {
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** The date that somebody has given its document (ISO 8601); a date of a file says little about the edition. */
  readonly givenDate?: string | undefined;
}

const HEADING_SEPARATOR = ' › ';
const DIGITS = /\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** Jaccard similarity of the words, without numbers, of two texts that say the same. */
const MIN_SIMILARITY = 0.8;
/** The same where titles or headings already say that one is a later edition of the other. */
const MIN_SIMILARITY_IN_SERIES = 0.5;

/** A passage with the years by which it is named, each computed once. */
export class Edition {
  private readonly titleYears: ReadonlySet<number>;
  private readonly headingYears: ReadonlySet<number>;
  private readonly givenYears: ReadonlySet<number>;
  private readonly series: string;
  private readonly headingSeries: string;
  private readonly lastHeading: string;
  private wordsOfText: ReadonlySet<string> | undefined;

  constructor(private readonly passage: Dated) {
    const { title, heading, givenDate } = passage;
    this.lastHeading = heading?.split(HEADING_SEPARATOR).at(-1) ?? '';
    this.titleYears = findYears(title);
    this.headingYears = findYears(heading ?? '');
    this.givenYears = findYears(givenDate ?? '');
    this.series = withoutNumbers(title);
    this.headingSeries = withoutNumbers(heading ?? '');
  }

  /** The years of its title and headings, and of the date that was given. */
  get years(): ReadonlySet<number> {
    return new Set([...this.titleYears, ...this.headingYears, ...this.givenYears]);
  }

  /** The heading or title that names one of the years, or any year; with its date where only that does. */
  findName(years: ReadonlySet<number>): string | undefined {
    const { title, givenDate } = this.passage;
    const named = [
      { name: this.lastHeading, years: findYears(this.lastHeading) },
      { name: title, years: this.titleYears },
      { name: `${title}, ${givenDate ?? ''}`, years: this.givenYears },
    ].filter((one) => one.years.size > 0);
    return (named.find((one) => intersects(one.years, years)) ?? named[0])?.name;
  }

  /** Positive if this edition is newer than another one, negative if older, 0 if that is not known. */
  compare(other: Edition): number {
    const difference = this.getYear() - other.getYear();
    // Sections of one document: "Rates", with the headings 2025 and 2026.
    return difference !== 0 ? difference : max(this.headingYears) - max(other.headingYears);
  }

  /** Whether two passages are named alike but for the year: "Rates 2025" and "Rates 2026". */
  isInSeriesOf(other: Edition): boolean {
    if (this.series === other.series && max(this.titleYears) !== max(other.titleYears)) {
      return this.series !== '' && this.titleYears.size > 0 && other.titleYears.size > 0;
    }
    return (
      this.passage.title === other.passage.title &&
      this.headingSeries === other.headingSeries &&
      max(this.headingYears) !== max(other.headingYears) &&
      this.headingYears.size > 0 &&
      other.headingYears.size > 0
    );
  }

  /** Whether two passages say the same of different years. */
  isAlike(other: Edition): boolean {
    if (this.compare(other) === 0) return false;
    const least = this.isInSeriesOf(other) ? MIN_SIMILARITY_IN_SERIES : MIN_SIMILARITY;
    return computeSimilarity(this.words, other.words) >= least;
  }

  private get words(): ReadonlySet<string> {
    this.wordsOfText ??= readWords(this.passage.text);
    return this.wordsOfText;
  }

  private getYear(): number {
    const named = [this.titleYears, this.headingYears, this.givenYears];
    return max(named.find((years) => years.size > 0) ?? new Set());
  }
}

/** The words of a text without its numbers, in lower case. */
export const readWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(WORD) ?? []);

/** Jaccard similarity. */
export function computeSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

export const intersects = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  [...one].some((year) => other.has(year));

const withoutNumbers = (name: string): string =>
  (name.replace(DIGITS, ' ').toLowerCase().match(WORD) ?? []).join(' ');

const max = (years: ReadonlySet<number>): number => Math.max(0, ...years);
