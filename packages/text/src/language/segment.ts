import { tolerant } from '../failures.js';

type Granularity = 'word' | 'sentence';
type Segment = Pick<Intl.SegmentData, 'segment' | 'index' | 'isWordLike'>;

const segmenters = new Map<Granularity, Intl.Segmenter>();

/** A segmenter is created when it is needed, since that takes 15 ms. */
function getSegmenter(granularity: Granularity): Intl.Segmenter {
  const segmenter = segmenters.get(granularity) ?? new Intl.Segmenter('und', { granularity });
  segmenters.set(granularity, segmenter);
  return segmenter;
}

const asOneSegment = (text: string): Segment[] =>
  text === '' ? [] : [{ segment: text, index: 0, isWordLike: true }];

const createSegmentation = (granularity: Granularity) =>
  tolerant<string, readonly Segment[]>(
    'segmenter',
    (text) => [...getSegmenter(granularity).segment(text)],
    asOneSegment,
  );

/** The words of a text and what stands between them, by ICU; its time grows faster than the text. */
export const segmentByWords = createSegmentation('word');

/** The sentences of a text, by ICU. */
export const segmentBySentences = createSegmentation('sentence');
