import { DocumentDto } from './document.dto.js';

/** A file of an archive that was not added. */
export class SkippedFileDto {
  /** Within the archive. */
  path: string;
  /**
   * Why: the code of the problem with which the file by itself would be refused, or `encrypted`.
   * @example 'unsupported_media_type'
   */
  code: string;
}

/** What became of a ZIP archive: each of its files is a document. */
export class ArchiveDto {
  documents: DocumentDto[];
  skipped: SkippedFileDto[];
}
