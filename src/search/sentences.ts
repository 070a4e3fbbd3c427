/** Characters that are segmented at once. */
const WINDOW = 4000;

const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** The sentences of a text; joined they are the text. One longer than WINDOW is cut. */
export function* sentences(text: string): Generator<string> {
  for (const window of windows(text)) {
    for (const { segment } of segmenter.segment(window)) yield segment;
  }
}

/** The segmenter's time grows faster than the text, so it gets one window after the other. */
function* windows(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const rough = start + WINDOW;
    const space = rough < text.length ? text.slice(start, rough + 1).lastIndexOf(' ') : -1;
    const end = space > 0 ? start + space + 1 : rough + (isLowSurrogate(text, rough) ? 1 : 0);
    yield text.slice(start, end);
    start = end;
  }
}

const isLowSurrogate = (text: string, index: number) => /^[\udc00-\udfff]/.test(text.charAt(index));
