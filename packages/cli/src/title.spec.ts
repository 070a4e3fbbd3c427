import { describe, expect, it } from '@jest/globals';
import { readTitle } from './title.js';

const title = (file: string, text: string) => readTitle(file, Buffer.from(text));

describe('the title of a document', () => {
  it.each([
    ['# Returns\n\nText', 'Returns'],
    ['\ufeff# Returns\r\n\r\nText', 'Returns'],
    ['Text\n\nReturns *and* `refunds`\n=======\n', 'Returns and refunds'],
    ['```\n# a comment\n```\n\n## Refunds\n# Returns', 'Refunds'],
    ['---\ntitle: Of the front matter\nweight: 1\n---\n# Returns', 'Of the front matter'],
    ['---\ntitle: "Say \\"hello\\"" # aloud\n---\n', 'Say "hello"'],
    ["---\r\ntitle: 'It''s'\r\n---\r\n# Returns", "It's"],
    ['---\ntitle: Plain # a comment\n---\n', 'Plain'],
    ['---\ntitle: >\n  Folded\n---\n# Returns', 'Returns'],
    ['---\nsubtitle: Not this\ntitle:\n---\n# Returns', 'Returns'],
    ['---\n# Returns', 'Returns'],
    ['# \n\nText', undefined],
    ['No heading', undefined],
    ['', undefined],
    [`# ${'long '.repeat(200)}`, 'long '.repeat(100).trim()],
    [`# 知识库\n\n${'知'.repeat(100_000)}`, '知识库'],
  ])('of Markdown, case %#', (text, expected) => {
    expect(title('about/file.MD', text)).toBe(expected);
  });

  it.each([
    ['<title>Returns &amp; refunds</title><h1>Not this</h1>', 'Returns & refunds'],
    ['<html><head><title>\n  Two\n  lines </title></head>', 'Two lines'],
    ['<TITLE></TITLE><h1>Returns <em>now</em></h1><h1>Not this</h1>', 'Returns now'],
    ['<svg><title>A drawing</title></svg><h1>Returns</h1>', 'Returns'],
    ['<!-- <title>A comment</title> --><p>Text</p>', undefined],
    ['<script>"<title>A script</title>"</script>', undefined],
    ['Not HTML', undefined],
  ])('of HTML, case %#', (text, expected) => {
    expect(title('page.html', text)).toBe(expected);
  });

  it('is not guessed', () => {
    expect(title('notes.txt', '# Returns')).toBeUndefined();
    expect(title('file.pdf', '%PDF-1.7')).toBeUndefined();
    expect(readTitle('latin1.md', Buffer.from('# R\xfcckgabe', 'latin1'))).toBeUndefined();
  });
});
