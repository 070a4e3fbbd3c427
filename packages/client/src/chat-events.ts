import { LatchkeyError } from './error.js';
import { readServerSentEvents } from './server-sent-events.js';
import type { ByteStream } from './transport.js';
import type { ChatAnswer, ChatEvent, Problem } from './types.js';

const PARTS = ['message_start', 'step', 'sources', 'delta', 'related'];

/** Reads the events of an answer; leaving the loop ends the request. @throws LatchkeyError */
export async function* readChatEvents<Answer = ChatAnswer>({
  read,
  cancel,
}: ByteStream): AsyncGenerator<ChatEvent<Answer>, void> {
  try {
    for await (const { event, data } of readServerSentEvents(read)) {
      const content = JSON.parse(data) as unknown;
      if (event === 'error') throw LatchkeyError.refused(content as Problem);
      if (event === 'message_end') {
        yield { type: event, answer: content as Answer };
        return;
      }
      // Unknown events, which a later version may add, are ignored.
      if (PARTS.includes(event)) {
        yield { type: event, ...(content as object) } as ChatEvent<Answer>;
      }
    }
    throw LatchkeyError.cutOff(200);
  } finally {
    await cancel();
  }
}
