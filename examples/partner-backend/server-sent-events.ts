export interface ServerSentEvent {
  event: string;
  data: string;
}

/** Reads the events of a `text/event-stream`. If the connection breaks, they end. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let event = 'message';
  let data: string[] = [];
  let rest = '';
  try {
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        // A line that begins with a colon is a comment, which keeps the connection open.
        const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        if (field === 'event') event = value;
        if (field === 'data') data.push(value);
        if (line !== '') continue;
        if (data.length > 0) yield { event, data: data.join('\n') };
        event = 'message';
        data = [];
      }
    }
  } catch {
    // The caller notices that the last event is missing, as after any early end.
  }
}
