/** Control characters, and characters that change the direction of the text after them. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes characters that would control the terminal, so that any text is safe on one line. */
export const printable = (text: string): string =>
  text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
