import type { ExtractionResult } from '@latchkey/extraction/extract';
import type { DocumentDate } from '@latchkey/ranking/search-index';
import { findYears } from '@latchkey/text/years';
import { DATE_OR_MONTH, isPartialDate } from '../platform/http/instant.js';

/**
 * Of when a document is, by what indexing has read: a property of its file, else its title, else its headings if they
 * name one year alone. That of the file comes first since it is a day; which year an answer is of is decided by
 * titles and headings, since a list of prices for 2025 may be changed in 2026.
 */
export function findDate(
  title: string,
  { date, passages }: Pick<ExtractionResult, 'date' | 'passages'>,
): DocumentDate | null {
  if (date !== null) return { value: date, from: 'file' };
  const inTitle = findOnlyDate([title]);
  if (inTitle !== undefined) return { value: inTitle, from: 'title' };
  const inHeadings = findOnlyDate(passages.flatMap(({ heading }) => heading ?? []));
  return inHeadings === undefined ? null : { value: inHeadings, from: 'heading' };
}

/** The columns to publish; a date that was given, or that a source says, stays. */
export function publishedDate(found: DocumentDate | null) {
  const keep = (column: string, value: string | undefined) => () =>
    `CASE WHEN documents.date_from IN ('given', 'source') THEN documents.${column}
      ELSE ${value === undefined ? 'NULL' : `'${value}'`} END`;
  // Both are of a few signs that need no quoting; see readPartialDate and findOnlyDate.
  return { date: keep('date', found?.value), dateFrom: keep('date_from', found?.from) };
}

/** The date in texts that name one year alone: the day or the month if they have one, else the year. */
function findOnlyDate(texts: readonly string[]): string | undefined {
  const years = new Set(texts.flatMap((text) => [...findYears(text)]));
  const [year] = years;
  if (years.size !== 1 || year === undefined) return undefined;
  const dates = new Set(texts.flatMap((text) => text.match(DATE_OR_MONTH) ?? []));
  const [date = ''] = dates;
  return dates.size === 1 && isPartialDate(date) ? date : String(year);
}
