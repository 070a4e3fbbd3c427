import { ApiInteger } from '../../platform/openapi/api-fields.js';

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
