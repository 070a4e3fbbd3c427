import type { Locator } from './locator.js';
import type { PageImages } from './recognition/page-image.js';
import type { RecognisedPage } from './recognition/recognised-page.js';

export type { Locator };

interface Located {
  /** Absent in formats without pages or parts. */
  readonly locator?: Locator;
}

/** Opens a section at its level; headings of its own and deeper levels end there. */
export interface Heading extends Located {
  readonly kind: 'heading';
  /** From 1, the outermost. */
  readonly level: number;
  readonly text: string;
}

/** From this offset on, the text is on another page. */
export interface PageBreak {
  readonly offset: number;
  readonly locator: Locator;
}

export interface Paragraph extends Located {
  readonly kind: 'paragraph' | 'caption' | 'note';
  readonly text: string;
  /** Its page breaks, in order. */
  readonly pageBreaks?: readonly PageBreak[];
}

export interface ListItem extends Located {
  readonly kind: 'list-item';
  /** From 0, the outermost. */
  readonly depth: number;
  /** As a person reads it, such as `–`, `1.` or `b)`. */
  readonly marker: string;
  readonly text: string;
}

export interface TableRow extends Located {
  /** As displayed, one for each column. */
  readonly cells: readonly string[];
}

export interface Table extends Located {
  readonly kind: 'table';
  /** The names of the columns, if it has any; repeated in each passage that has rows of it. */
  readonly header: readonly string[] | null;
  readonly rows: readonly TableRow[];
}

/** Lines that keep their line ends and indentation. */
export interface Code extends Located {
  readonly kind: 'code';
  readonly text: string;
}

/** A paragraph, heading, table or the like, in reading order. Texts are plain: no marks of the document's format. */
export type Block = Heading | Paragraph | ListItem | Table | Code;

/** A part of a document that was left out, such as a page that cannot be read. */
export interface DocumentWarning {
  /** In snake_case, such as `page_unreadable`. */
  readonly code: string;
  readonly message: string;
  /** From 1; of pages that were recognised, or wait for it. */
  readonly pages?: readonly number[];
  /** 0 to 100: how sure recognition is of its words. */
  readonly confidence?: number;
}

/** Why something is not in the passages, although the document was read. */
export type LeftOutCode = 'hidden_left_out' | 'values_missing' | 'not_read' | 'encoding_guessed';

/** Something that a reader leaves out or is not sure of. All of one code become one warning. */
export interface LeftOut {
  readonly code: LeftOutCode;
  /** In a few words, such as `row 3 of “Prices”`, `chart` or `windows-1250`. */
  readonly what: string;
}

export type ReaderWarning = DocumentWarning | LeftOut;

/** What a reader is given with the content. */
export interface ReadingContext {
  /** Must be called after each page, sheet or part: a reader that does not is ended. */
  progress(): void;
  warn(warning: ReaderWarning): void;
  readonly recognition: RecognisedPages;
}

/** Pages that are pictures, which a reader cannot read itself. */
export interface RecognisedPages {
  /** What was recognised on a page, from 1, with the places of its letters; undefined if nothing was. */
  page(number: number): RecognisedPage | undefined;
  /**
   * Names a page that was not recognised, and whether what it shows is missing from its text.
   *
   * @returns whether it is to be recognised
   */
  offer(number: number, isNeeded: boolean): boolean;
  /** Whether none are used or wanted. */
  readonly isOff: boolean;
  /** The pages of a file or picture in the document; undefined for one that stood in it before. */
  within(file: FileWithin): RecognisedPages | undefined;
}

export interface FileWithin {
  /** The same for the same content. */
  readonly key: string;
  /** Called only if a page of it is recognised. */
  images(): Promise<PageImages>;
}

/**
 * Reads a document of one format.
 *
 * @throws Unreadable
 */
export type Reader = (
  content: Uint8Array,
  context: ReadingContext,
) => readonly Block[] | Promise<readonly Block[]>;
