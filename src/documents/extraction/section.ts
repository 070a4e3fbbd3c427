/** A part of a document under one path of headings, or one page of it. */
export interface Section {
  readonly headings: readonly string[];
  readonly text: string;
  /** From 1; only in formats with pages. */
  readonly page?: number;
}
