/**
 * The address in a proof or of a request, without query and fragment and in one spelling, so that equal addresses
 * are equal texts (RFC 3986, 6.2); undefined if it is none.
 */
export function toProofAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.origin + normalize(url.pathname) : undefined;
}

const normalize = (path: string) =>
  path.replace(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
