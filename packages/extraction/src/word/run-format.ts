import { attribute, type Attributes } from '../archive/xml.js';
import { raised, type TextPosition } from '../characters/raised-text.js';
import { readSymbols } from '../characters/symbol-fonts.js';
import { isOn } from './properties.js';

/** What a run, or a style, says about its characters. */
export interface CharacterStyle {
  readonly font?: string;
  /** `baseline` takes the position of a style away. */
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

/** The properties of an open run, on top of those of its style and of the style of its paragraph. */
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

  font({ font }: CharacterStyle): string | undefined {
    return this.own.font ?? this.style.font ?? font;
  }

  /** Text as it is displayed: in the signs of its font, raised or lowered. */
  write(text: string, paragraph: CharacterStyle): string {
    const position = this.own.position ?? this.style.position;
    const shown = readSymbols(text, this.font(paragraph));
    return raised(shown, position === 'baseline' ? undefined : position);
  }
}
