import { FORMATS } from '@latchkey/extraction/formats';
import type { Document } from './document.entity.js';

/**
 * Characters that some operating system forbids in file names, and control characters, including those
 * that reverse the text direction.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|]/u;
const MAX_LENGTH = 120;

/** Builds the file name of a download: the title, with the extension of the media type. */
export function toFileName({ title, mimeType }: Pick<Document, 'title' | 'mimeType'>): string {
  const extensions = FORMATS.get(mimeType)?.extensions ?? [];
  const words = title
    .toWellFormed()
    .split(FORBIDDEN)
    .flatMap((part) => part.split(/\s/))
    // `..` is the parent directory, and a leading dot hides a file.
    .map((word, index) => (index === 0 ? word.replace(/^\.+/, '') : word))
    .filter((word) => word !== '' && word !== '..');
  const name = Array.from(words.join(' ')).slice(0, MAX_LENGTH).join('').trim() || 'document';
  const [extension] = extensions;
  const hasExtension = extensions.some((known) => name.toLowerCase().endsWith(`.${known}`));
  return extension === undefined || hasExtension ? name : `${name}.${extension}`;
}
