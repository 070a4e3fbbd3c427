import type { SourceEntry } from '../source-kind.js';

export interface WikiPage {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly modifiedAt: Date | undefined;
  /** Below the base, for people. */
  readonly path: string;
  readonly access: SourceEntry['access'];
  readonly attachments: readonly WikiAttachment[];
}

export interface WikiAttachment {
  readonly id: string;
  /** The name of its file. */
  readonly title: string;
  readonly version: string;
  readonly size: number | undefined;
  /** Below the base. */
  readonly downloadPath: string;
}

/** What differs between Confluence Cloud and Data Center. */
export interface Edition {
  /** @throws SourceError when it cannot be reached, or has no such space */
  test(): Promise<void>;
  pages(): AsyncIterable<WikiPage>;
  /** A page in the storage format. */
  body(id: string): Promise<string>;
}

export const parseDate = (text: string | undefined): Date | undefined => {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};
