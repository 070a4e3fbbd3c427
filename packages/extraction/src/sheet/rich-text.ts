import { attribute, type Attributes } from '../archive/xml.js';
import { raiseText, type TextPosition } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';

const POSITIONS: Readonly<Record<string, TextPosition>> = {
  superscript: 'super',
  subscript: 'sub',
};

/** The runs within the text of a cell, each with its own font and position. */
export class RichText {
  private font: string | undefined;
  private position: TextPosition | undefined;

  open(name: string, attributes: Attributes): void {
    if (name === 'r' || name === 'si' || name === 'is') this.font = this.position = undefined;
    else if (name === 'rFont') this.font = attribute(attributes, 'val');
    else if (name === 'vertAlign') this.position = POSITIONS[attribute(attributes, 'val') ?? ''];
  }

  write(text: string): string {
    return raiseText(readSymbols(text, this.font), this.position);
  }
}
