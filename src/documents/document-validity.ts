import { invalidField } from '../platform/problems/problem.js';
import type { DocumentFieldsDto } from './document-requests.dto.js';
import type { Document } from './document.entity.js';

/** The columns that say when a document is valid, and whose place it takes. */
export type ValidityColumns = Partial<Pick<Document, 'validFrom' | 'validUntil' | 'supersedes'>>;

type Requested = Pick<DocumentFieldsDto, 'valid_from' | 'valid_until' | 'supersedes'>;

const toInstant = (given: string | null): Date | null => (given === null ? null : new Date(given));

/** @returns the columns of what is given; the others are kept */
export const toValidityColumns = ({
  valid_from: from,
  valid_until: until,
  supersedes,
}: Requested): ValidityColumns => ({
  ...(from !== undefined && { validFrom: toInstant(from) }),
  ...(until !== undefined && { validUntil: toInstant(until) }),
  ...(supersedes !== undefined && { supersedes }),
});

/** @throws Problem `validation_failed` for a validity that would end before it begins */
export function requireOrderedValidity({
  validFrom,
  validUntil,
}: Pick<ValidityColumns, 'validFrom' | 'validUntil'>): void {
  if (validFrom && validUntil && validUntil <= validFrom) {
    throw invalidField('valid_until', 'valid_until must be later than valid_from');
  }
}
