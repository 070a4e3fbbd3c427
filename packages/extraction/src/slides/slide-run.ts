import { attribute, type Attributes } from '../archive/xml.js';
import { raiseText } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';

const ASCII_LETTER = /[a-z]/i;
const ASCII = /^[\0-\x7f]+$/;

/** The character properties of the open run of DrawingML. */
export class SlideRun {
  private baseline = 0;
  private font: string | undefined;
  /** The font for symbols only, such as the arrow that PowerPoint makes of `-->`. */
  private symbolFont: string | undefined;

  /** @returns whether the element is a property of a run */
  open(name: string, attributes: Attributes): boolean {
    switch (name) {
      case 'r':
      case 'br':
      case 'fld':
        this.baseline = 0;
        this.font = this.symbolFont = undefined;
        return false;
      case 'rPr':
        this.baseline = Number(attributes['baseline'] ?? 0) || 0;
        return true;
      case 'latin':
        this.font = attribute(attributes, 'typeface');
        return true;
      case 'sym':
        this.symbolFont = attribute(attributes, 'typeface');
        return true;
      default:
        return false;
    }
  }

  write(text: string): string {
    const position = this.baseline > 0 ? 'super' : this.baseline < 0 ? 'sub' : undefined;
    return raiseText(this.showSymbols(text), position);
  }

  private showSymbols(text: string): string {
    const read = readSymbols(text, this.font);
    if (read !== text || ASCII.test(text)) return read;
    if (ASCII_LETTER.test(text)) {
      // Only characters of the private use area are symbols; letters of words stay.
      return text.replace(/[\uf020-\uf0ff]/g, (sign) => readSymbols(sign, this.symbolFont));
    }
    return readSymbols(text, this.symbolFont);
  }
}
