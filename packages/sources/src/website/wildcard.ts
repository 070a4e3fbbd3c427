/**
 * Whether a text matches a pattern in which `*` stands for any characters, in time that grows with the
 * length of both together: servers send patterns, and a regular expression would take exponential time
 * for some of them.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const found = find(part, text, at, end);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.endsWith(last);
}

/**
 * Finds `part` in `text` between two positions, or returns -1. It uses the algorithm of Knuth, Morris and
 * Pratt, since `indexOf` takes quadratic time for texts such as `aaab` in `aaaa…`.
 */
function find(part: string, text: string, from: number, end: number): number {
  if (part.length > end - from) return -1;
  if (part === '') return from;
  const borders = computeBorders(part);
  let matched = 0;
  for (let at = from; at < end; at++) {
    while (matched > 0 && part[matched] !== text[at]) matched = borders[matched - 1] ?? 0;
    if (part[matched] === text[at]) matched++;
    if (matched === part.length) return at + 1 - matched;
  }
  return -1;
}

/** Computes, for each prefix of a text, the length of its longest proper prefix that is also a suffix. */
function computeBorders(text: string): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text[length] !== text[at]) length = borders[length - 1] ?? 0;
    if (text[length] === text[at]) length++;
    borders.push(length);
  }
  return borders;
}
