/** The size limit of an error response: only its status and a code are read. */
const MAX_FAILURE_BYTES = 64 * 1024;
/**
 * The size limit of one event of a stream. The client rescans an unfinished event with each part that
 * arrives.
 */
const MAX_EVENT_BYTES = 128 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A `fetch` whose responses fail at the first byte beyond the limit, before they are parsed. */
export const boundedFetch =
  (maxBytes: number): typeof fetch =>
  async (...request) => {
    const response = await fetch(...request);
    const { body, ok, status, statusText, headers } = response;
    if (!body) return response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
    const bounds = [
      new ByteCount(ok ? maxBytes : MAX_FAILURE_BYTES),
      ...(ok && isStream ? [new EventSize()] : []),
    ];
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        for (const bound of bounds) bound.add(part);
        controller.enqueue(part);
      },
    });
    return new Response(body.pipeThrough(bounded), { status, statusText, headers });
  };

class ByteCount {
  private bytes = 0;

  constructor(private readonly max: number) {}

  add({ byteLength }: Uint8Array): void {
    this.bytes += byteLength;
    if (this.bytes > this.max) throw new Error('The answer is too long');
  }
}

/** Counts the bytes since the last empty line, which ends an event. */
class EventSize {
  private bytes = 0;
  private lineBytes = 0;
  private previous = 0;

  add(part: Uint8Array): void {
    for (const byte of part) {
      this.bytes++;
      const isSecondOfTwo = byte === LINE_FEED && this.previous === CARRIAGE_RETURN;
      this.previous = byte;
      if (isSecondOfTwo) continue;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) this.lineBytes++;
      else {
        if (this.lineBytes === 0) this.bytes = 0;
        this.lineBytes = 0;
      }
      if (this.bytes > MAX_EVENT_BYTES) throw new Error('An event of the answer is too long');
    }
  }
}
