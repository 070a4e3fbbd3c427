import { DocumentDto } from './document.dto.js';

/** A file of an archive that was not added. */
export class SkippedFileDto {
  /** The path within the archive. */
  path: string;
  /**
   * The reason: the code of the problem with which the file alone would be refused, or `encrypted`.
   * @example 'unsupported_media_type'
   */
  code: string;
}

/** The result of a ZIP archive upload: each of its files becomes a document. */
export class ArchiveDto {
  documents: DocumentDto[];
  skipped: SkippedFileDto[];
}
