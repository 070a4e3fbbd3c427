import type { SourceEntry } from '../source-kind.js';

export interface WikiPage {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly modifiedAt: Date | undefined;
  /** The path below the base at which people open the page. */
  readonly path: string;
  readonly access: SourceEntry['access'];
  readonly attachments: readonly WikiAttachment[];
}

export interface WikiAttachment {
  readonly id: string;
  /** The file name. */
  readonly title: string;
  readonly version: string;
  readonly size: number | undefined;
  /** The path below the base. */
  readonly downloadPath: string;
}

/** The operations that differ between Confluence Cloud and Data Center. */
export interface Edition {
  /** @throws SourceError when it cannot be reached, or has no such space */
  test(): Promise<void>;
  listPages(): AsyncIterable<WikiPage>;
  /** Reads the body of a page in the storage format. */
  readBody(id: string): Promise<string>;
}

export const parseDate = (text: string | undefined): Date | undefined => {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};
