const NUMBER = /-?\d[\d.]*(?:[eE][+-]?\d+)?/y;

/** Quotes the numbers in JSON that JavaScript would write differently, such as 1.10, in linear time. */
export function quoteInexactNumbers(json: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < json.length;) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = findTextEnd(json, at + 1);
    else if (char !== MINUS && !isDigit(char)) at++;
    else {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(json)?.[0] ?? '';
      if (number !== '' && String(Number(number)) !== number) {
        parts.push(json.slice(copied, at), '"', number, '"');
        copied = at + number.length;
      }
      at += Math.max(1, number.length);
    }
  }
  return copied === 0 ? json : parts.join('') + json.slice(copied);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;

function findTextEnd(json: string, start: number): number {
  for (let at = start; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE) return at + 1;
  }
  return json.length;
}
