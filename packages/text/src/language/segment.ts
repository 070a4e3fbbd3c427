import { tolerant } from '../failures.js';

type Granularity = 'word' | 'sentence';
type Segment = Pick<Intl.SegmentData, 'segment' | 'index' | 'isWordLike'>;

const segmenters = new Map<Granularity, Intl.Segmenter>();

/** Made when it is needed, since that takes 15 ms. */
function segmenterOf(granularity: Granularity): Intl.Segmenter {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter('und', { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter;
}

const whole = (text: string): Segment[] =>
  text === '' ? [] : [{ segment: text, index: 0, isWordLike: true }];

const by = (granularity: Granularity) =>
  tolerant<string, readonly Segment[]>(
    'segmenter',
    (text) => [...segmenterOf(granularity).segment(text)],
    whole,
  );

/** The words of a text and what stands between them, by ICU; its time grows faster than the text. */
export const segmentByWords = by('word');

/** The sentences of a text, by ICU. */
export const segmentBySentences = by('sentence');
