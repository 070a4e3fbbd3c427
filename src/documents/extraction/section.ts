/** A stretch of text under one path of headings, or on one page. */
export interface Section {
  readonly headings: readonly string[];
  readonly text: string;
  /** From 1, for paged formats. */
  readonly page?: number;
}
