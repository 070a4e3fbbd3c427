import { describe, expect, it } from '@jest/globals';
import { create } from 'content-disposition';
import { toFileName } from './file-name.js';

describe(toFileName.name, () => {
  it.each([
    ['Returns policy', 'text/markdown', 'Returns policy.md'],
    ['handbook.PDF', 'application/pdf', 'handbook.PDF'],
    ['handbook.pdf', 'text/plain', 'handbook.pdf.txt'],
    ['知识库', 'text/plain', '知识库.txt'],
    ['../../etc/passwd', 'text/plain', 'etc passwd.txt'],
    ['a\r\nSet-Cookie: b', 'text/html', 'a Set-Cookie b.html'],
    ['invoice\u202Efdp.exe', 'text/plain', 'invoice fdp.exe.txt'],
    ['...', 'text/plain', 'document.txt'],
    ['x'.repeat(500), 'text/plain', `${'x'.repeat(120)}.txt`],
  ])('of %j as %s is %j', (title, mimeType, expected) => {
    expect(toFileName({ title, mimeType })).toBe(expected);
  });

  it.each(['"; filename=evil.exe', "a%22b'c", '知识库 – Übersicht', '\ud800\u0000\n'])(
    'makes a header of %j that contains a file name and nothing else',
    (title) => {
      const header = create(toFileName({ title, mimeType: 'text/plain' }));
      expect(header).toMatch(/^attachment; filename="?[\x20-\x7e]+$/);
      expect(header).not.toMatch(/[\r\n]|filename="[^"]*"[^;]*"/);
    },
  );
});
