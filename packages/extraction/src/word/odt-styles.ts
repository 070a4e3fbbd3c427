import { attribute, type Attributes, type XmlHandler } from '../archive/xml.js';
import type { TextPosition } from '../characters/raised-text.js';
import { formatNumber, type NumberFormat } from './number-format.js';
import { BULLET } from './numbering.js';

interface ListLevel {
  readonly isNumbered: boolean;
  readonly format: NumberFormat;
  readonly prefix: string;
  readonly suffix: string;
  readonly shownLevels: number;
  readonly start: number;
}

interface TextStyle {
  readonly parent: string | undefined;
  readonly displayName: string;
  isBold?: boolean;
  isHidden?: boolean;
  font?: string;
  position?: TextPosition | 'baseline';
}

const MAX_INHERITANCE = 20;
const FORMATS: Record<string, NumberFormat> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '1': 'decimal',
};

/** The styles of an ODT that matter for its text. */
export class OdtStyles implements XmlHandler {
  private readonly styles = new Map<string, TextStyle>();
  private readonly lists = new Map<string, Map<number, ListLevel>>();
  private readonly outline = new Map<number, ListLevel>();
  /** The families of fonts by the names that styles use. */
  private readonly fonts = new Map<string, string>();
  private style: TextStyle | undefined;
  private levels: Map<number, ListLevel> | undefined;

  open(name: string, attributes: Attributes): void {
    const own = attribute(attributes, 'name') ?? '';
    if (name === 'style') {
      const parent = attribute(attributes, 'parent-style-name');
      const displayName = attribute(attributes, 'display-name') ?? own;
      this.style = { parent, displayName };
      this.styles.set(own, this.style);
    } else if (name === 'text-properties' && this.style) {
      const weight = attribute(attributes, 'font-weight');
      if (weight !== undefined) this.style.isBold = weight === 'bold' || Number(weight) >= 600;
      if (attributes['text:display'] === 'none') this.style.isHidden = true;
      const font = attribute(attributes, 'font-name') ?? attribute(attributes, 'font-family');
      if (font !== undefined) this.style.font = this.fonts.get(font) ?? font;
      const position = attribute(attributes, 'text-position');
      if (position !== undefined) this.style.position = parsePosition(position);
    } else if (name === 'font-face') {
      this.fonts.set(own, attribute(attributes, 'font-family') ?? own);
    } else if (name === 'drawing-page-properties' && this.style) {
      if (attribute(attributes, 'visibility') === 'hidden') this.style.isHidden = true;
    } else if (name === 'table-properties' && this.style) {
      // The style of a hidden sheet.
      if (attribute(attributes, 'display') === 'false') this.style.isHidden = true;
    } else if (name === 'list-style') {
      this.levels = new Map();
      this.lists.set(own, this.levels);
    } else if (name === 'outline-style') {
      this.levels = this.outline;
    } else if (/^(list|outline)-level-style/.test(name)) {
      this.levels?.set(Number(attribute(attributes, 'level')), {
        isNumbered: name !== 'list-level-style-bullet' && name !== 'list-level-style-image',
        format: FORMATS[attribute(attributes, 'num-format') ?? ''] ?? 'none',
        prefix: attribute(attributes, 'num-prefix') ?? '',
        suffix: attribute(attributes, 'num-suffix') ?? '',
        shownLevels: Number(attribute(attributes, 'display-levels') ?? 1) || 1,
        start: Number(attribute(attributes, 'start-value') ?? 1),
      });
    }
  }

  close(name: string): void {
    if (name === 'style') this.style = undefined;
    if (name === 'list-style' || name === 'outline-style') this.levels = undefined;
  }

  isBold(name: string | undefined): boolean {
    return this.listAncestors(name).find(({ isBold }) => isBold !== undefined)?.isBold ?? false;
  }

  isHidden(name: string | undefined): boolean {
    return this.listAncestors(name).some(({ isHidden }) => isHidden === true);
  }

  getFont(name: string | undefined): string | undefined {
    return this.listAncestors(name).find(({ font }) => font !== undefined)?.font;
  }

  getPosition(name: string | undefined): TextStyle['position'] {
    return this.listAncestors(name).find(({ position }) => position !== undefined)?.position;
  }

  /** Whether the name of the style, or of one that it is based on, matches. */
  isCalled(name: string | undefined, pattern: RegExp): boolean {
    return this.listAncestors(name).some(({ displayName }) => pattern.test(displayName));
  }

  /** @param numbers the number of each level, from the outermost */
  getMarker(list: string | undefined, numbers: readonly number[]): string {
    return this.formatMarker(this.lists.get(list ?? ''), numbers) ?? BULLET;
  }

  headingNumber(numbers: readonly number[]): string {
    return this.formatMarker(this.outline, numbers) ?? '';
  }

  getStart(list: string | undefined, level: number): number {
    return this.lists.get(list ?? '')?.get(level)?.start ?? 1;
  }

  private formatMarker(levels: Map<number, ListLevel> | undefined, numbers: readonly number[]) {
    const level = levels?.get(numbers.length);
    if (!level?.isNumbered || level.format === 'none') return undefined;
    const shown = numbers.slice(Math.max(0, numbers.length - level.shownLevels));
    const first = numbers.length - shown.length;
    const number = shown
      .map((value, index) => formatNumber(value, levels?.get(first + index + 1)?.format ?? 'none'))
      .join('.');
    return `${level.prefix}${number}${level.suffix}`.trim();
  }

  private listAncestors(name: string | undefined): TextStyle[] {
    const found: TextStyle[] = [];
    let style = this.styles.get(name ?? '');
    while (style && found.length < MAX_INHERITANCE) {
      found.push(style);
      style = this.styles.get(style.parent ?? '');
    }
    return found;
  }
}

/** Parses a position such as `super 58%`, `-33% 58%` or `0% 100%`. */
function parsePosition(value: string): TextStyle['position'] {
  const [offset = ''] = value.trim().split(/\s/);
  if (offset === 'super' || offset === 'sub') return offset;
  const percent = parseFloat(offset);
  return percent > 0 ? 'super' : percent < 0 ? 'sub' : 'baseline';
}
