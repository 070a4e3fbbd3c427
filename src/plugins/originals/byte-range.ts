import type { ByteRange } from '../../documents/contents/content-store.js';
import { Problem } from '../../platform/problems/problem.js';

/** The headers that request a range. */
export interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * Parses the range that a request asks for. Returns undefined for the whole content, and also if the
 * header has several ranges, is malformed, or refers to content that has been replaced.
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
