import { Problem } from '../../platform/problems/problem.js';

/** A part of a content; both bytes belong to it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The headers by which a part is asked for. */
export interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * The part of a content that a request asks for. Undefined for the whole content, also where the header
 * has several parts, is malformed, or is about a content that was replaced since.
 *
 * @throws Problem `range_not_satisfiable`
 */
export function parseRange(
  { range, 'if-range': known }: RangeHeaders,
  sizeBytes: number,
  etag: string,
): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range ?? '') ?? [];
  if ((from === '' && to === '') || (known !== undefined && known !== etag)) return undefined;
  const isSuffix = from === '';
  const first = isSuffix ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = isSuffix || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (!isSuffix && to !== '' && Number(to) < first) return undefined;
  if (first < sizeBytes) return { first, last };
  throw new Problem('range_not_satisfiable', {
    headers: { 'content-range': `bytes */${sizeBytes}` },
  });
}
