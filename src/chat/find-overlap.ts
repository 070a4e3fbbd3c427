/**
 * @returns the place from which the rest of a text is the beginning of another one; the length of the text if
 *   there is none
 */
export function findOverlap(text: string, other: string): number {
  for (let start = Math.max(0, text.length - other.length); start < text.length; start++) {
    if (other.startsWith(text.slice(start))) return start;
  }
  return text.length;
}
