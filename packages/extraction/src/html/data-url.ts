const DATA_URL = /^data:image\/[\w.+-]{1,50};base64,/i;

/** Decodes the picture in a data URL; undefined for other URLs. */
export function decodeDataUrl(url: string): Uint8Array | undefined {
  const start = DATA_URL.exec(url.slice(0, 100))?.[0];
  return start === undefined ? undefined : Buffer.from(url.slice(start.length), 'base64');
}
