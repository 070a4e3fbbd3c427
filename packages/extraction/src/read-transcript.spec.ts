import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readTranscript } from './read-transcript.js';

const of = async (content: string) => outline((await read(readTranscript, content)).blocks);

describe(readTranscript.name, () => {
  it('joins the cues of a subtitle file, with the time of the first', async () => {
    const srt = [
      '1\r\n00:00:01,000 --> 00:00:04,000\r\nHello and <i>welcome</i>\r\n',
      '2\r\n00:00:05,000 --> 00:00:09,000\r\nto our show.\r\n',
    ];
    expect(await of(srt.join('\r\n'))).toEqual(['[00:00:01] Hello and welcome to our show.']);
  });

  it('says who speaks', async () => {
    const cues = ['<v Jane>Hello there.</v>', 'How are you?', '<v.loud Bob>Hi Jane.'];
    const vtt = cues.map((cue, n) => `00:0${n}.000 --> 00:0${n}.900 align:start\n${cue}\n`);
    expect(await of(`WEBVTT\n\nNOTE no cue\n\n${vtt.join('\n')}`)).toEqual([
      '[00:00] Jane: Hello there. How are you?',
      '[00:02] Bob: Hi Jane.',
    ]);
  });

  it('begins a paragraph behind a sentence', async () => {
    const cues = Array.from(
      { length: 60 },
      (_, n) =>
        `00:00:${String(n).padStart(2, '0')}.000 --> 00:01:00.000\nThis is cue number ${n}\nwith its end.\n`,
    );
    const lines = await of(`WEBVTT\n\n${cues.join('\n')}`);
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line).toMatch(/^\[00:00:\d\d\] This is .* end\.$/);
  });
});
