import { ApiInteger } from '../openapi/api-fields.js';

/** Where a passage begins, in the terms of its document's format. */
export type Locator =
  | { readonly page: number }
  | { readonly slide: number }
  | { readonly sheet: string; readonly row: number }
  | { readonly chapter: string };

/** Where a passage begins: a page, a slide, a row of a sheet, or a chapter. */
export class LocatorDto {
  /** From 1. */
  @ApiInteger({ minimum: 1 }) page?: number;
  /** From 1. */
  @ApiInteger({ minimum: 1 }) slide?: number;
  /** The name of a sheet, with `row`. */
  sheet?: string;
  /** From 1, as the program of the sheet counts them. */
  @ApiInteger({ minimum: 1 }) row?: number;
  /** The title of a chapter. */
  chapter?: string;
}
