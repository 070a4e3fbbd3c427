import { describe, expect, it } from '@jest/globals';
import type { Block, Locator } from '../block.js';
import { toHtml, type HtmlRequest } from './to-html.js';

const REQUEST: HtmlRequest = {
  ...{ title: 'Handbook', language: 'en', page: null, passage: null },
  ...{ passages: [], note: null },
};
const passage = (text: string, locator: Locator | null = null) => ({ id: 'chk_1', text, locator });

function write(blocks: readonly Block[], request: Partial<HtmlRequest> = {}) {
  const page = toHtml(blocks, { ...REQUEST, ...request });
  if (!page) throw new Error('There is no such page');
  return page;
}

const marksIn = (html: string) =>
  [...html.matchAll(/<mark[^>]*>(.*?)<\/mark>/g)].map(([, text]) => text);

const slide = (number: number, text: string): Block[] => [
  { kind: 'heading', level: 1, text: `Title ${number}`, locator: { slide: number } },
  { kind: 'paragraph', text, locator: { slide: number } },
];

function sheet(name: string, rows: number): Block {
  const locate = (row: number) => ({ sheet: name, row });
  return {
    kind: 'table',
    header: ['Article', 'Price'],
    locator: locate(1),
    rows: Array.from({ length: rows }, (_, index) => ({
      cells: [`Lamp number ${index + 2} of ${name}`, `${index + 2}.00`],
      locator: locate(index + 2),
    })),
  };
}

describe(toHtml.name, () => {
  it('writes each kind of block, and marks the passage across them', () => {
    const { html, isMarked } = write(
      [
        { kind: 'heading', level: 1, text: 'Returns' },
        { kind: 'paragraph', text: 'Whoever buys may return it. Refunds take five days.' },
        { kind: 'list-item', depth: 1, marker: 'b)', text: 'Gifts cannot be returned.' },
        { kind: 'code', text: 'return  order' },
        { kind: 'table', header: ['Days'], rows: [{ cells: ['30'] }] },
      ],
      { passage: passage('Refunds take five days.\n\n  b) Gifts cannot be returned.') },
    );
    expect(isMarked).toBe(true);
    expect(marksIn(html)).toEqual(['Refunds take five days.', 'b)', 'Gifts cannot be returned.']);
    expect(html.match(/id="chk_1"/g)).toHaveLength(1);
    expect(html).toContain('<h2 dir="auto">Returns</h2>');
    expect(html).toContain('<ul><li class="d1" dir="auto">');
    expect(html).toContain('<pre tabindex="0" dir="ltr">return  order</pre>');
    expect(html).toContain('<th scope="col" dir="auto">Days</th></tr></thead><tbody><tr><td');
    expect(html).toContain('<html lang="en">');
  });

  it('writes what a document says as text, and never as markup', () => {
    const text = `<script>alert(1)</script><img src=x onerror="a()">&amp;\0\ud800`;
    const blocks: Block[] = [
      { kind: 'heading', level: 1, text },
      { kind: 'paragraph', text },
      { kind: 'table', header: [text], rows: [{ cells: [text] }] },
    ];
    const { html } = write(blocks, { title: text, language: '"><script>', passage: passage(text) });
    expect(html).not.toMatch(/<script|<img|\0/);
    expect(html.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
    expect(html).toContain('&amp;amp;');
  });

  it('shows the slide of the passage, or the one that is asked for, of as many as there are', () => {
    const slides = [...slide(1, 'Nothing is here.'), ...slide(3, 'Sales have doubled this year.')];
    const of = { passage: passage('Sales have doubled this year.', { slide: 3 }) };
    const shown = write(slides, of);
    expect(shown).toMatchObject({ page: 3, pageCount: 3, isMarked: true });
    expect(shown.html).not.toContain('Nothing is here');
    expect(write(slides, { ...of, page: 1 })).toMatchObject({ page: 1, isMarked: false });
    // Without text.
    expect(write(slides, { ...of, page: 2 }).html).toContain('Slide 2');
    expect(toHtml(slides, { ...REQUEST, page: 4 })).toBeNull();
  });

  it('shows 200 rows of a large sheet before and after the passage, with their numbers', () => {
    const text = '| Article | Price |\n| Lamp number 5000 of Stock | 5000.00 |';
    const sheets = [sheet('Prices', 3), sheet('Stock', 20_000)];
    const at = { sheet: 'Stock', row: 5000 };
    const { html, ...place } = write(sheets, { passage: passage(text, at) });
    expect(place).toEqual({ page: 2, pageCount: 2, isMarked: true });
    expect(marksIn(html)).toEqual(['Lamp number 5000 of Stock', '5000.00']);
    expect(html.match(/<tr>/g)).toHaveLength(402);
    expect(html).toContain('<th scope="row" id="row-4800">4800</th>');
    expect(html.match(/class="cut"/g)).toHaveLength(2);
    expect(write(sheets, { page: 2 }).html).toContain('id="row-2"');
  });

  it('shows what is around the passage of a document that is too long', () => {
    const blocks = Array.from({ length: 5000 }, (_, index): Block => {
      const text = `Paragraph ${index} tells of ${'many things '.repeat(20)}`;
      return { kind: 'paragraph', text };
    });
    const { html } = write(blocks, { passage: passage('Paragraph 3210 tells of many things') });
    expect(marksIn(html)).toEqual(['Paragraph 3210 tells of many things']);
    expect(html.length).toBeLessThan(500_000);
  });

  it('has an anchor where each passage begins, also within a paragraph and a table', () => {
    const blocks: Block[] = [
      { kind: 'heading', level: 1, text: 'Returns' },
      { kind: 'paragraph', text: 'Whoever buys may return it. Refunds take five days.' },
      {
        kind: 'table',
        header: ['Country', 'Days'],
        rows: [{ cells: ['Iceland', '9'] }, { cells: ['Norway', '7'] }],
      },
      { kind: 'paragraph', text: 'Whoever buys may return it. Again.' },
    ];
    const passages = [
      { id: 'chk_a', text: 'Returns\n\nWhoever buys may return it.' },
      { id: 'chk_1', text: 'may return it. Refunds take five days.' },
      { id: 'chk_b', text: 'Refunds take five days.' },
      { id: 'chk_c', text: '| Country | Days |\n| Norway | 7 |\n\nWhoever buys' },
      { id: 'chk_d', text: 'Whoever buys may return it. Again.' },
      { id: 'chk_e', text: 'It is nowhere.' },
    ];
    const { html } = write(blocks, {
      passages,
      passage: passage('may return it. Refunds take five days.'),
    });
    expect(html).toContain('<h2 dir="auto"><span id="chk_a"></span>Returns</h2>');
    expect(html).toContain(
      '<mark id="chk_1">may return it. </mark><span id="chk_b"></span><mark>Refunds take five days.</mark>',
    );
    expect(html).toContain('<td dir="auto"><span id="chk_c"></span>Norway</td>');
    expect(html).toContain('<span id="chk_d"></span>Whoever buys may return it. Again.');
    expect(html).not.toContain('chk_e');
  });

  it('says what is to be known of it', () => {
    const { html } = write([], { note: 'Read <again>.' });
    expect(html).toContain('<p class="note" role="note">Read &lt;again&gt;.</p>');
  });

  it('names the language only of a document whose language is known', () => {
    expect(write([], { language: null })).toMatchObject({ page: 1, pageCount: 1, isMarked: false });
    expect(write([], { language: null }).html).toContain('<html>');
  });
});
