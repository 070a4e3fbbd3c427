import { describe, expect, it } from '@jest/globals';
import { SourceError } from '../source-kind.js';
import { storageToHtml } from './storage-format.js';

const toBody = (storage: string) =>
  /<\/h1>(.*)<\/body>/s.exec(storageToHtml(storage, 'Title'))?.[1];

describe('storageToHtml', () => {
  it.each([
    ['text and entities', '<p>Caf&eacute; &amp; Bar</p>', '<p>Café &amp; Bar</p>'],
    [
      'code',
      '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">js</ac:parameter><ac:plain-text-body><![CDATA[if (a < b) {}]]></ac:plain-text-body></ac:structured-macro>',
      '<pre>if (a &lt; b) {}</pre>',
    ],
    [
      'panels with a title',
      '<ac:structured-macro ac:name="panel"><ac:parameter ac:name="title">Note</ac:parameter><ac:rich-text-body><p>Inside</p></ac:rich-text-body></ac:structured-macro>',
      '<p><strong>Note</strong></p><p>Inside</p>',
    ],
    [
      'tasks',
      '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Do it</ac:task-body></ac:task></ac:task-list>',
      '<ul><li>Do it</li></ul>',
    ],
    [
      'links to pages',
      '<p>See <ac:link><ri:page ri:content-title="FAQ" /></ac:link>.</p>',
      '<p>See FAQ.</p>',
    ],
    [
      'links with a text',
      '<ac:link><ri:page ri:content-title="FAQ" /><ac:plain-text-link-body><![CDATA[questions]]></ac:plain-text-link-body></ac:link>',
      'questions',
    ],
    ['dates', '<p>By <time datetime="2026-01-02" /></p>', '<p>By <time>2026-01-02</time></p>'],
    [
      'tables',
      '<table class="x"><tbody><tr><td colspan="2" onclick="x()">A</td></tr></tbody></table>',
      '<table><tbody><tr><td colspan="2">A</td></tr></tbody></table>',
    ],
    [
      'macros that would have to be run',
      '<ac:structured-macro ac:name="toc"><ac:parameter ac:name="maxLevel">2</ac:parameter></ac:structured-macro><p>A</p>',
      '<p>A</p>',
    ],
    [
      'pictures',
      '<ac:image ac:alt="A plan"><ri:attachment ri:filename="plan.png" /></ac:image>',
      '<img alt="A plan">',
    ],
  ])('converts %s', (_name, storage, html) => {
    expect(toBody(storage)).toBe(html);
  });

  it.each(['<b/>', '<b></b>', '<ac:link/>', '<ac:emoticon/>'])(
    'refuses a page of half a million %s',
    (element) => {
      expect(() => storageToHtml(element.repeat(500_001), 'Many')).toThrow(
        expect.objectContaining({ code: 'too_large' }),
      );
    },
  );

  it('refuses a page that is nested without an end', () => {
    expect(() => storageToHtml('<div>'.repeat(100_000), 'Deep')).toThrow(SourceError);
  });
});
