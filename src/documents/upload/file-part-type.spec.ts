import { describe, expect, it } from '@jest/globals';
import { FilePartType } from './file-part-type.js';

const BODY =
  '--b\r\nContent-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nA\r\n' +
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n' +
  'content-type: text/csv; charset="windows-1250"\r\n\r\na;b\r\n--b--\r\n';

const typeOf = (body: string, size: number, contentType = 'multipart/form-data; boundary=b') => {
  const type = new FilePartType(contentType);
  for (let at = 0; at < body.length; at += size) type.add(Buffer.from(body.slice(at, at + size)));
  return type.value;
};

describe(FilePartType, () => {
  it.each([1, 7, 64, 1000])('is that of the file, in pieces of %i bytes', (size) => {
    expect(typeOf(BODY, size)).toBe('text/csv; charset="windows-1250"');
  });

  it('is empty where the file has none, or there is no boundary', () => {
    expect(typeOf(BODY.replace(/content-type:.*windows.*\r\n/, ''), 1000)).toBe('');
    expect(typeOf(BODY, 1000, 'multipart/form-data')).toBe('');
    expect(typeOf(BODY.replace('"file"', '"other"; filename="file"'), 1000)).toBe('');
  });
});
