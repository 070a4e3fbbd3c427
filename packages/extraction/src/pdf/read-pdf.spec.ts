import { describe, expect, it } from '@jest/globals';
import { at, BODY, column, getKinds, lines, read, getTexts } from '../../test/pdf-lines.js';
import { pageOf, pdf } from '../../../../test/support/pdf.mjs';
import { readPdf } from './read-pdf.js';

describe(readPdf.name, () => {
  it('joins lines into paragraphs, and cut words', async () => {
    const text = [
      'Customers may return any order within thirty days after its deliv-',
      'ery, and the refund is paid within five days. A proof-of-',
      'purchase is needed. Nothing else is asked for by anybody.',
    ];
    const { blocks, progress } = await read(pdf([lines(72, 700, text) + lines(72, 640, BODY)]));
    expect(getTexts(blocks)).toEqual([
      'Customers may return any order within thirty days after its delivery, and the refund is paid within five days. A proof-of-purchase is needed. Nothing else is asked for by anybody.',
      BODY.join(' '),
    ]);
    expect(progress).toBeGreaterThan(0);
  });

  it('joins a paragraph across pages, and knows where it goes on', async () => {
    const [first = '', second = '', third = ''] = BODY;
    const pages = [lines(72, 120, [first, second]), lines(72, 700, [third])];
    const { blocks } = await read(pdf(pages));
    expect(blocks).toEqual([
      {
        kind: 'paragraph',
        text: BODY.join(' '),
        locator: { page: 1 },
        pageBreaks: [{ offset: first.length + second.length + 2, locator: { page: 2 } }],
      },
    ]);
  });

  it('leaves out headers, footers and page numbers, and keeps a title once', async () => {
    const pages = Array.from({ length: 6 }, (_, index) =>
      [
        at(72, 760, 'Annual Report'),
        at(500, 760, `Section ${index} of 6`),
        lines(72, 700, [`Chapter text ${index} begins here.`, ...BODY]),
        at(300, 40, String(index + 17)),
      ].join(''),
    );
    const { blocks } = await read(pdf(pages));
    const text = getTexts(blocks).join('\n');
    expect(text.match(/Annual Report/g)).toHaveLength(1);
    expect(text).not.toMatch(/Section \d of 6|\b1[789]\b|\b2[012]\b/);
    expect(text.match(/Chapter text \d/g)).toHaveLength(6);
  });

  it('keeps what pages have in common where it is their text', async () => {
    const pages = Array.from({ length: 5 }, (_, index) =>
      pageOf([`Page ${index} tells of penguin${index}.`, '', 'It says no more.']),
    );
    const { blocks } = await read(pdf(pages));
    expect(
      getTexts(blocks)
        .join(' ')
        .match(/It says no more/g),
    ).toHaveLength(5);
  });

  it('reads columns one after the other, below what stands across them', async () => {
    const page = [
      at(100, 740, 'A title across both of the columns of this page', { size: 16 }),
      ...column('Left').flatMap((text, index) => [
        at(72, 700 - 12 * index, text),
        at(320, 700 - 12 * index, column('Right')[index] ?? ''),
      ]),
    ];
    const { blocks } = await read(pdf([page.join('')]));
    const text = getTexts(blocks).join(' ');
    expect(text.indexOf('Left line 11')).toBeLessThan(text.indexOf('Right line 0'));
    expect(text).toMatch(/^A title/);
  });

  it('takes only lines of a title for the heading of a bookmark', async () => {
    const objects = [
      '<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>',
      '<< /Title (1.2 Terms of Refunds) /Parent 4 0 R /Dest [6 0 R /XYZ 0 800 0] >>',
    ];
    const page = lines(72, 700, [
      'What came before is no part of it.',
      '1.2',
      '(01-17-2023)',
      'Terms of',
      'Refunds',
      'Not available.',
    ]);
    const bytes = pdf([page], { objects }).toString('latin1');
    const withOutline = bytes.replace('/Pages 2 0 R', '/Pages 2 0 R /Outlines 4 0 R');
    const { blocks } = await read(Buffer.from(withOutline, 'latin1'));
    expect(getTexts(blocks)).toEqual([
      'What came before is no part of it.',
      '1.2 Terms of Refunds',
      'Not available.',
    ]);
  });

  it('puts headings in the margin before what stands beside them', async () => {
    const beside = (y: number, title: string, text: readonly string[]) =>
      lines(60, y, title.split(' ')) + lines(200, y, text);
    const page =
      beside(700, '1.1 Returns', BODY) +
      beside(600, '1.2 Refunds', BODY) +
      beside(500, '1.3 Questions', BODY);
    const { blocks } = await read(pdf([page]));
    const text = getTexts(blocks).join(' ').replaceAll('\n', ' ');
    expect(text).toMatch(
      /1.1 Returns The .*waits. 1.2 Refunds The .*waits. 1.3 Questions The .*waits.$/,
    );
  });

  it('leaves out lines of signs without a letter', async () => {
    const page = at(72, 740, '- ! # "') + lines(72, 700, BODY) + at(72, 600, '* * *');
    expect(getTexts((await read(pdf([page]))).blocks)).toEqual([BODY.join(' ')]);
  });

  it('keeps the lines of a footer in their order', async () => {
    const pages = Array.from({ length: 4 }, (_, index) =>
      [
        lines(72, 700, [`Chapter text ${index} begins here.`, ...BODY]),
        at(72, 52, 'Any line with a mark'),
        at(72, 40, 'is for official use alone'),
      ].join(''),
    );
    const { blocks } = await read(pdf(pages));
    expect(getTexts(blocks).slice(0, 2)).toEqual([
      'Any line with a mark',
      'is for official use alone',
    ]);
  });

  it('finds headings by their size, and lists by their markers', async () => {
    const page = [
      at(72, 740, '1 Refunds', { size: 18 }),
      lines(72, 700, BODY),
      at(72, 640, '1.1 Terms', { size: 14 }),
      lines(72, 610, ['- The first item', '- The second item', '- The third item']),
    ];
    const { blocks } = await read(pdf([page.join('')]));
    expect(getKinds(blocks)).toEqual([
      'heading',
      'paragraph',
      'heading',
      'list-item',
      'list-item',
      'list-item',
    ]);
    expect(blocks[0]).toMatchObject({ text: '1 Refunds', level: 1 });
    expect(blocks[2]).toMatchObject({ text: '1.1 Terms', level: 2 });
    expect(blocks[3]).toMatchObject({ marker: '-', text: 'The first item' });
  });

  it('takes the bookmarks for headings', async () => {
    const [outline, first, second] = [4, 5, 6];
    const objects = [
      `<< /Type /Outlines /First ${first} 0 R /Last ${second} 0 R /Count 2 >>`,
      `<< /Title (Refunds) /Parent ${outline} 0 R /Next ${second} 0 R /Dest [7 0 R /XYZ 0 800 0] >>`,
      `<< /Title (Shipping) /Parent ${outline} 0 R /Prev ${first} 0 R /Dest [9 0 R /XYZ 0 800 0] >>`,
    ];
    const pages = ['Refunds', 'Shipping'].map((title) => lines(72, 700, [title, '', ...BODY]));
    const bytes = pdf(pages, { objects }).toString('latin1');
    const withOutline = bytes.replace('/Pages 2 0 R', `/Pages 2 0 R /Outlines ${outline} 0 R`);
    const { blocks } = await read(Buffer.from(withOutline, 'latin1'));
    expect(blocks.filter(({ kind }) => kind === 'heading')).toMatchObject([
      { text: 'Refunds', level: 1, locator: { page: 1 } },
      { text: 'Shipping', level: 1, locator: { page: 2 } },
    ]);
  });

  it('leaves out a page that cannot be read, and says which', async () => {
    const bytes = pdf([pageOf(['One is here.']), pageOf(['Two is here.']), pageOf(['Three.'])])
      .toString('latin1')
      // The second page becomes something else.
      .replace(/(6 0 obj\n)<< \/Type \/Page /, '$1[/Typ  /Page] % ');
    const { blocks, warnings } = await read(Buffer.from(bytes, 'latin1'));
    expect(getTexts(blocks)).toEqual(['One is here.', 'Three.']);
    expect(warnings).toEqual([
      { code: 'page_unreadable', message: expect.stringMatching(/^Page 2 /) },
    ]);
  });

  it.each<[what: string, content: Uint8Array, code: string]>([
    ['cut off', pdf([pageOf(['Hello'])]).subarray(0, 300), 'parse_failed'],
    ['no PDF', Buffer.from('%PDF-1.7\nThis is no PDF.\n%%EOF\n'), 'parse_failed'],
    [
      'encrypted',
      pdf([pageOf(['secret'])], {
        trailer: `/Encrypt 4 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
        objects: [
          `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
        ],
      }),
      'encrypted',
    ],
  ])('refuses one that is %s', async (_, content, code) => {
    await expect(read(content)).rejects.toMatchObject({ code });
  });

  it('finds nothing in pages without text', async () => {
    expect((await read(pdf(['0 0 10 10 re f']))).blocks).toEqual([]);
    expect((await read(pdf([]))).blocks).toEqual([]);
  });

  it('takes time in proportion to a page of any form', async () => {
    const many = (make: (index: number) => string) =>
      pdf([Array.from({ length: 20_000 }, (_, index) => make(index)).join('')]);
    for (const content of [
      many((index) => at(index % 600, 700, 'x')),
      many((index) => at((index * 7) % 600, (index * 13) % 800, 'ab cd')),
      many((index) => at(72, 700 - index / 30, '- a')),
    ]) {
      const startedAt = performance.now();
      await read(content);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    }
  });
});
