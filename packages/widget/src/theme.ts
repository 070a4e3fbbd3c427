/** How the owner of a site wants it to look. */
export interface Theme {
  readonly accent?: string;
  readonly position?: 'left' | 'right';
  readonly color_scheme?: 'auto' | 'light' | 'dark';
}

export type Scheme = 'light' | 'dark';

type Colour = readonly [red: number, green: number, blue: number];

/** The grounds (`--soft`) on which texts in the accent are hardest to read, and what makes them easier to read there. */
const SURFACES: Readonly<Record<Scheme, { readonly surface: Colour; readonly text: Colour }>> = {
  light: { surface: [243, 244, 247], text: [0, 0, 0] },
  dark: { surface: [42, 44, 48], text: [255, 255, 255] },
};
const HEX = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/** What WCAG AA asks of texts, 4.5, and a little for the rounding of colours. */
const CONTRAST = 4.55;

/**
 * The custom properties for an accent. The service only stores colours; what is none is left out nevertheless, since a
 * property could also be the address of a picture.
 */
export function accentColours(accent: string | undefined, scheme: Scheme): Record<string, string> {
  if (accent === undefined || !HEX.test(accent)) return {};
  const colour = parse(accent);
  const { surface, text } = SURFACES[scheme];
  const black: Colour = [0, 0, 0];
  const white: Colour = [255, 255, 255];
  const on = contrast(colour, black) > contrast(colour, white) ? black : white;
  let link = colour;
  for (let share = 0; contrast(link, surface) < CONTRAST; share += 0.05)
    link = blend(colour, text, share);
  return {
    '--site-accent': toHex(colour),
    '--site-on-accent': toHex(on),
    '--site-link': toHex(link),
  };
}

/** @returns the colour without its transparency, whose contrast nobody knows */
function parse(accent: string): Colour {
  const hex = accent.replace('#', '');
  const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const at = (start: number) => Number.parseInt(digits.slice(start, start + 2), 16);
  return [at(0), at(2), at(4)];
}

const toHex = (colour: Colour) =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const blend = ([r, g, b]: Colour, [x, y, z]: Colour, share: number): Colour => [
  r + (x - r) * share,
  g + (y - g) * share,
  b + (z - b) * share,
];

/** The contrast of two colours by WCAG, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
