import type { DocumentWarning, Locator } from './extracted.js';
import type { PageImages } from './recognition/page-image.js';
import type { RecognisedText } from './recognition/recognised-page.js';

export type { DocumentWarning, Locator };

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
  /** The marker as readers see it, such as `–`, `1.` or `b)`. */
  readonly marker: string;
  readonly text: string;
}

export interface TableRow extends Located {
  /** The cells as displayed, one for each column. */
  readonly cells: readonly string[];
}

export interface Table extends Located {
  readonly kind: 'table';
  /** The column names, if the table has any; they are repeated in each passage with rows of the table. */
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

/** Why something is not in the passages, although the document was read. */
export type LeftOutCode = 'hidden_left_out' | 'values_missing' | 'not_read' | 'encoding_guessed';

/** Something that a reader leaves out or is not sure of. Entries with the same code become one warning. */
export interface LeftOut {
  readonly code: LeftOutCode;
  /** In a few words, such as `row 3 of “Prices”`, `chart` or `windows-1250`. */
  readonly what: string;
}

export type ReaderWarning = DocumentWarning | LeftOut;

/** Passed to a reader with the content. */
export interface ReadingContext {
  /** Must be called after each page, sheet or part; a reader that makes no progress is stopped. */
  progress(): void;
  warn(warning: ReaderWarning): void;
  /** The encoding that the sender names, as decoders call it; set for text formats only. */
  readonly charset?: string;
  readonly recognition: RecognisedPages;
}

/** Pages that are pictures, which a reader cannot read itself. */
export interface RecognisedPages {
  /** The recognised text of a page (from 1) with the positions of its letters; undefined if there is none. */
  page(number: number): RecognisedText | undefined;
  /**
   * Names a page that was not recognised, and whether what it shows is missing from its text.
   *
   * @returns whether it is to be recognised
   */
  offer(number: number, isNeeded: boolean): boolean;
  /** Whether recognition is switched off. */
  readonly isOff: boolean;
  /** The pages of an embedded file or picture; undefined if the document contained the same one before. */
  within(file: FileWithin): RecognisedPages | undefined;
}

export interface FileWithin {
  /** Equal for equal contents. */
  readonly key: string;
  /** Called only if one of its pages is to be recognised. */
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
