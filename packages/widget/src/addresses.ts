/** Opens pages and, for people to talk to, a mail: no link may run a script. */
const SAFE = new Set(['http:', 'https:']);

/**
 * An address that a link may have.
 *
 * @param base of addresses that are paths
 * @returns undefined for what is none, or could run a script
 */
export function webAddress(
  address: string | null | undefined,
  base?: string,
  more: readonly string[] = [],
): string | undefined {
  if (address === null || address === undefined || address === '') return undefined;
  try {
    const { protocol, href } = new URL(address, base);
    return SAFE.has(protocol) || more.includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Where a visitor finds a person. */
export const contactAddress = (address: string | null): string | undefined =>
  webAddress(address, undefined, ['mailto:']);
