import { format, isDateFormat } from 'numfmt';
import type { Archive } from '../archive/archive.js';
import { attribute, readXml } from '../archive/xml.js';
import { withExactDigits } from './exact-digits.js';

/** The built-in formats. Formats that depend on the locale are written as ISO. */
const BUILT_IN: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd hh:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};
const GENERAL = 'General';
const TEXT = '@';
const MAX_PATTERN = 500;
/** The days between the two epochs that workbooks may use. */
const DAYS_FROM_1900_TO_1904 = 1462;

/** Writes the numbers of a workbook as it displays them. */
export class NumberFormats {
  /** The pattern of each style of cells. */
  private readonly patterns: string[] = [];

  constructor(private readonly countsFrom1904: boolean) {}

  async read(archive: Archive, part: string): Promise<void> {
    if (!archive.has(part)) return;
    const own = new Map<number, string>();
    let inCellStyles = false;
    await readXml(archive.read(part), {
      open: (name, attributes) => {
        if (name === 'numFmt') {
          own.set(
            Number(attribute(attributes, 'numFmtId')),
            attribute(attributes, 'formatCode') ?? GENERAL,
          );
        } else if (name === 'cellXfs') inCellStyles = true;
        else if (name === 'xf' && inCellStyles) {
          const id = Number(attribute(attributes, 'numFmtId') ?? 0);
          this.patterns.push(own.get(id) ?? BUILT_IN[id] ?? GENERAL);
        }
      },
      close: (name) => {
        if (name === 'cellXfs') inCellStyles = false;
      },
    });
  }

  /** @param value as it stands in the file */
  display(value: string, style: number): string {
    const number = Number(value);
    if (value === '' || !Number.isFinite(number)) return value;
    const pattern = this.patterns[style] ?? GENERAL;
    if (pattern.length > MAX_PATTERN) return value;
    try {
      const shift = this.countsFrom1904 && isDateFormat(pattern) ? DAYS_FROM_1900_TO_1904 : 0;
      const text = format(pattern, number + shift, { throws: true }).trim();
      return withExactDigits({ text, value, isGeneral: pattern === GENERAL || pattern === TEXT });
    } catch {
      // The pattern is invalid.
      return value;
    }
  }
}
