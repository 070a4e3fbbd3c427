/**
 * Reads the text of an untrusted response, up to a limit.
 *
 * @throws Error at the first byte above the limit
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
