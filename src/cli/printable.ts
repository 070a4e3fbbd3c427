/** Control characters, and those that turn the direction of what follows: a terminal obeys them. */
const OBEYED = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of others on one line of a terminal: what a terminal would obey is shown as an escape. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
