import { ApiInteger } from '../../platform/openapi/api-fields.js';

/** Where a passage begins: a page, a slide, a row of a sheet, or a chapter. */
export class LocatorDto {
  /** The page, from 1. */
  @ApiInteger({ minimum: 1 }) page?: number;
  /** The slide, from 1. */
  @ApiInteger({ minimum: 1 }) slide?: number;
  /** The name of the sheet, with `row`. */
  sheet?: string;
  /** The row, from 1, as the spreadsheet program counts. */
  @ApiInteger({ minimum: 1 }) row?: number;
  /** The title of a chapter. */
  chapter?: string;
}
