/**
 * Whether a program that some tests need is there. Where it is not they are skipped, and said to be;
 * in CI that is a failure, since nobody reads what a green run skipped.
 */
export function hasTool(name: string, isThere: boolean, untested: string): boolean {
  if (!isThere && process.env['CI'] !== undefined) throw new Error(gap(name, untested));
  return hasOptionalTool(name, isThere, untested);
}

/** The same for a program of a registry that CI may be unable to reach: CI passes without it. */
export function hasOptionalTool(name: string, isThere: boolean, untested: string): boolean {
  if (!isThere) console.warn(gap(name, untested));
  return isThere;
}

const gap = (name: string, untested: string) =>
  `${name} is not installed: ${untested} NOT TESTED in this run`;
