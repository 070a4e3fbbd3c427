/** The place where a passage begins, in the terms of its document's format. */
export type Locator =
  | { readonly page: number }
  | { readonly slide: number }
  | { readonly sheet: string; readonly row: number }
  | { readonly chapter: string };
