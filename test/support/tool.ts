/**
 * Whether a program that some tests need is there. Where it is not they are skipped, and said to be;
 * in CI that is a failure, since nobody reads what a green run skipped.
 */
export function hasTool(name: string, isThere: boolean, untested: string): boolean {
  if (isThere) return true;
  const gap = `${name} is not installed: ${untested} NOT TESTED in this run`;
  if (process.env['CI'] !== undefined) throw new Error(gap);
  console.warn(gap);
  return false;
}
