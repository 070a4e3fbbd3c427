const DATA_URL = /^data:image\/[\w.+-]{1,50};base64,/i;

/** The content of a picture that stands in the address of it; undefined for other addresses. */
export function decodeDataUrl(url: string): Uint8Array | undefined {
  const start = DATA_URL.exec(url.slice(0, 100))?.[0];
  return start === undefined ? undefined : Buffer.from(url.slice(start.length), 'base64');
}
