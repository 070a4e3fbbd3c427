import type { DocumentDate } from '@latchkey/ranking/search-index';
import type { DocumentFieldsDto } from './document-requests.dto.js';
import type { Document } from './document.entity.js';

/** The columns that say of when a document is. */
export type DateColumns = Partial<Pick<Document, 'date' | 'dateFrom'>>;

/** @returns the columns of a date that is given; null takes one back */
export const toDateColumns = (
  { date }: Pick<DocumentFieldsDto, 'date'>,
  existing?: Pick<Document, 'sourceDate'> | null,
): DateColumns =>
  date === undefined
    ? {}
    : date === null
      ? fromSource(existing?.sourceDate)
      : { date, dateFrom: 'given' };

/** @returns the columns of what a source says; a date that was given stays */
export const toSourceDate = (
  origin: { readonly sourceDate?: string | null } | undefined,
  existing: Pick<Document, 'dateFrom'> | null,
): DateColumns =>
  origin?.sourceDate == null || existing?.dateFrom === 'given' ? {} : fromSource(origin.sourceDate);

/** Whether a date was taken back and no source says another: that of the file is known only by reading it. */
export const mustBeReadForDate = (
  { dateFrom }: Pick<Document, 'dateFrom'>,
  changed: { readonly dateFrom?: unknown },
): boolean => dateFrom !== null && changed.dateFrom === null;

export const toDocumentDate = ({
  date: value,
  dateFrom: from,
}: Pick<Document, 'date' | 'dateFrom'>): DocumentDate | null =>
  value !== null && from !== null ? { value, from } : null;

const fromSource = (date: string | null | undefined): DateColumns =>
  date == null ? { date: null, dateFrom: null } : { date, dateFrom: 'source' };
