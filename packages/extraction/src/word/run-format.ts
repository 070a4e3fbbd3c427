import { attribute, type Attributes } from '../archive/xml.js';
import { raiseText, type TextPosition } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';
import { isOn } from './properties.js';

/** The character properties of a run or style. */
export interface CharacterStyle {
  readonly font?: string;
  /** `baseline` removes the position of a style. */
  readonly position?: TextPosition | 'baseline';
  readonly isHidden?: boolean;
}

const POSITIONS: Readonly<Record<string, CharacterStyle['position']>> = {
  superscript: 'super',
  subscript: 'sub',
  baseline: 'baseline',
};
/** Reads a property of characters in WordprocessingML. */
export function characterProperty(name: string, attributes: Attributes): CharacterStyle {
  const value = attribute(attributes, 'val');
  if (name === 'vanish') return { isHidden: isOn(value) };
  if (name === 'rFonts') {
    const font = attribute(attributes, 'ascii') ?? attribute(attributes, 'hAnsi');
    return font === undefined ? {} : { font };
  }
  const position = name === 'vertAlign' ? POSITIONS[value ?? ''] : undefined;
  return position === undefined ? {} : { position };
}

/** The properties of the open run, which override those of its style and of its paragraph's style. */
export class RunFormat {
  isBold = false;
  private own: CharacterStyle = {};
  private style: CharacterStyle = {};

  add(property: CharacterStyle): void {
    this.own = { ...this.own, ...property };
  }

  setStyle(style: CharacterStyle): void {
    this.style = style;
  }

  isHidden({ isHidden = false }: CharacterStyle): boolean {
    return this.own.isHidden ?? this.style.isHidden ?? isHidden;
  }

  getFont({ font }: CharacterStyle): string | undefined {
    return this.own.font ?? this.style.font ?? font;
  }

  /** Writes text as it is displayed: in the symbols of its font, raised or lowered. */
  write(text: string, paragraph: CharacterStyle): string {
    const position = this.own.position ?? this.style.position;
    const shown = readSymbols(text, this.getFont(paragraph));
    return raiseText(shown, position === 'baseline' ? undefined : position);
  }
}
