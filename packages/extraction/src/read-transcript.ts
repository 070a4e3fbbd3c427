import type { Block, ReadingContext } from './block.js';
import { decodeText } from './decode-text.js';
import { readText } from './read-text.js';
import { tidy } from './tidy.js';

/** A paragraph ends with the sentence that exceeds this length, or at twice the length at the latest. */
const MAX_CHARACTERS = 400;
const TIMES = /^\s*((?:\d+:)?\d\d?:\d\d)[.,]\d{1,3}\s+-->/;
const VOICE = /^<v(?:\.[^\s>]*)?\s+([^>]{1,100})>/;
const SENTENCE_END = /[.!?…。！？]["'”»)]?$/;

interface Spoken {
  readonly time: string;
  readonly speaker: string | undefined;
  text: string;
}

/** Reads the transcript of a recording: speakers and what they say, each paragraph with its start time. */
export function readTranscript(content: Uint8Array, context: ReadingContext): Block[] {
  const lines = decodeText(content, context).split(/\r\n|[\n\r]/);
  const spoken: Spoken[] = [];
  for (const cue of parseCues(lines)) {
    const last = spoken.at(-1);
    const goesOn = cue.speaker === undefined || cue.speaker === last?.speaker;
    if (!last || !goesOn || isFull(last.text)) spoken.push(cue);
    // Roll-up captions repeat the previous line.
    else if (!last.text.endsWith(cue.text)) last.text += ` ${cue.text}`;
  }
  if (spoken.length === 0) return readText(content, context);
  return spoken.map(({ time, speaker, text }) => {
    context.progress();
    return { kind: 'paragraph', text: `[${time}] ${speaker ? `${speaker}: ` : ''}${text}` };
  });
}

const isFull = (text: string) =>
  text.length > 2 * MAX_CHARACTERS || (text.length > MAX_CHARACTERS && SENTENCE_END.test(text));

function* parseCues(lines: readonly string[]): Generator<Spoken> {
  for (let at = 0; at < lines.length; at++) {
    const time = TIMES.exec(lines[at] ?? '')?.[1];
    if (time === undefined) continue;
    const texts: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== '') texts.push(lines[++at] ?? '');
    const speaker = VOICE.exec(texts[0] ?? '')?.[1];
    const text = tidy(texts.join(' ').replace(/<[^<>]*>|\{\\[^{}]*\}/g, ''));
    if (text !== '') yield { time, speaker: speaker?.trim(), text };
  }
}
