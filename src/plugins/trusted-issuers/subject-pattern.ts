/**
 * Whether a subject matches a pattern. In a pattern `*` stands for any number of characters, and every
 * other character for itself. A `*` in the subject is an ordinary character.
 */
export function matchesPattern(subject: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return subject === pattern;
  if (!subject.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = subject.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return subject.length - last.length >= from && subject.endsWith(last);
}
