/** The place where a passage begins, in the terms of its document's format. */
export type Locator =
  | { readonly page: number }
  | { readonly slide: number }
  | { readonly sheet: string; readonly row: number }
  | { readonly chapter: string };

/** The table rows in a passage. */
export interface PassageTable {
  /** The names of the columns, with units as they stand there; empty if the table names none. */
  readonly columns: string[];
  /** Cells as displayed; for a row that was cut, the part in this passage. */
  readonly rows: string[][];
}

/** A part of a document that was left out, such as a page that cannot be read. */
export interface DocumentWarning {
  /** In snake_case, such as `page_unreadable`. */
  readonly code: string;
  readonly message: string;
  /** From 1; set for pages that were recognised or are still to be. */
  readonly pages?: readonly number[];
  /** The confidence of recognition in its words, from 0 to 100. */
  readonly confidence?: number;
}
