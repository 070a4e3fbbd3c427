export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
}

const LINE_END = /\r\n|\n|\r/;

/**
 * Reads the events of a `text/event-stream`.
 *
 * @param read the next bytes; undefined at the end
 */
export async function* readServerSentEvents(
  read: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<ReceivedEvent, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  for (let bytes = await read(); bytes !== undefined; bytes = await read()) {
    const text = rest + decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be the first half of a line end.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(LINE_END);
    rest = (lines.pop() ?? '') + text.slice(complete.length);
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n') };
        event = 'message';
        data = [];
        continue;
      }
      // A line that begins with a colon is a comment, which keeps the connection open.
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = value;
      if (field === 'data') data.push(value);
    }
  }
}
