import { LatchkeyError } from '@latchkey/client';
import { describe, type Document } from './api.js';

type ErrorCode = NonNullable<Document['error']>['code'];

/** Why a document could not be read, and what to do, by the code of its error. */
const UNREADABLE: Record<ErrorCode, string> = {
  no_text_extracted:
    'It has no text. If its pages are scanned, switch on text recognition in the settings, and read it again.',
  unsupported_type: 'Files of this kind cannot be read. Save it as PDF, DOCX, HTML or Markdown.',
  encrypted: 'It is protected by a password. Save it without one.',
  too_large: 'It is too large. Split it into smaller files.',
  too_many_chunks: 'It has too many passages. Split it, or raise the passage size in the settings.',
  parse_failed:
    'The file is damaged. Open it in the program that it comes from, and save it again.',
  parse_timeout: 'Reading it took too long. Split it into smaller files, or try again.',
};

export const describeUnreadable = ({ code }: { code: ErrorCode }): string => UNREADABLE[code];

/** Why a file was refused, by the code of the problem. Others are described by the service. */
const REFUSED: Record<string, string> = {
  payload_too_large: 'The file is larger than the service takes. Split it into smaller files.',
  unsupported_media_type:
    'The file is damaged, or of a kind that cannot be read. Save it as PDF, DOCX, HTML or Markdown.',
  too_many_uploads: 'Too many files are uploaded at once. Try again in a moment.',
  content_store_unavailable: 'The service cannot store files at the moment. Try again later.',
  legal_hold: 'Under legal hold, documents cannot be replaced.',
};

export function describeRefusal(error: unknown): string {
  if (!(error instanceof LatchkeyError)) return describe(error);
  return REFUSED[error.code] ?? error.problem?.errors?.[0]?.message ?? describe(error);
}
