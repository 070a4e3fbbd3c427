import { describe, expect, it } from '@jest/globals';
import { normalize } from '@latchkey/embeddings/vector';
import type { Embeddings } from '../documents/search/embeddings.js';
import { SmallTalkByMeaning } from './small-talk-by-meaning.js';

/** A model of two languages that knows thanks, and takes every other text for one about documents. */
const THANKS = /thank|helpful|kiitos|avusta/i;
const toVector = (text: string) =>
  normalize([THANKS.test(text) ? 1 : 0.1, text.endsWith('?') ? 1 : 0.2, 0.1 * (text.length % 3)]);

function withModel({ isLocal = true } = {}) {
  const state = { embedded: 0, fails: false };
  const embeddings: Embeddings = {
    ...{ model: 'known', description: 'known' },
    ...(isLocal && { embedSentences: () => Promise.resolve([]) }),
    embedQuestion: (text) => {
      state.embedded++;
      return Promise.resolve(state.fails ? undefined : toVector(text));
    },
    embedPassages: () => Promise.resolve(undefined),
  };
  const fairShares = { findFairShare: () => Promise.resolve({}) };
  const smallTalk = new SmallTalkByMeaning(embeddings, fairShares as never);
  const detect = (message: string) => smallTalk.detect('kb_1', message);
  /** The examples are embedded after the first message. */
  const prepare = async () => {
    await detect('kiitos');
    for (let before = -1; before !== state.embedded;) {
      before = state.embedded;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
  return { state, detect, prepare };
}

describe(SmallTalkByMeaning, () => {
  it('recognises what no list has, in a language of which it has no examples', async () => {
    const { detect, prepare } = withModel();
    await prepare();
    expect(await detect('kiitos avusta paljon')).toMatchObject({ kind: 'thanks' });
  });

  it('leaves questions, and messages that tell something', async () => {
    const { detect, prepare } = withModel();
    await prepare();
    expect(await detect('How long is the warranty?')).toBeUndefined();
    expect(await detect(`kiitos ${'avusta '.repeat(20)}`)).toBeUndefined();
  });

  it('asks no endpoint for its examples', async () => {
    const { detect, prepare, state } = withModel({ isLocal: false });
    await prepare();
    expect(await detect('kiitos')).toBeUndefined();
    expect(state.embedded).toBe(0);
  });

  it('tries again after a failure of the model', async () => {
    const { detect, prepare, state } = withModel();
    state.fails = true;
    await prepare();
    expect(state.embedded).toBe(1);
    state.fails = false;
    await prepare();
    expect(await detect('kiitos')).toMatchObject({ kind: 'thanks' });
  });
});
