/** Reads server-sent events, as the service writes them: one field to a line, and a blank line after each event. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [event, data] = [readField(block, 'event'), readField(block, 'data')];
      if (event !== '' && data !== '') yield { event, data: JSON.parse(data) as unknown };
    }
  }
}

const readField = (block: string, name: string) =>
  block
    .split('\n')
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))
    .join('\n');
