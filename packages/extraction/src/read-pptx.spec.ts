import { describe, expect, it } from '@jest/globals';
import { pptx, relationships, shape } from '../../../test/support/office-files.js';
import { outline, read } from '../test/reading.js';
import { readPptx } from './read-pptx.js';

const SECOND = { name: 'ppt/slides/slide2.xml', content: '<p:sld><broken' };

describe('a PPTX', () => {
  it('has its slides in order, each with its title, its text and its notes', async () => {
    const { blocks, progress } = await read(
      readPptx,
      pptx([
        {
          shapes: shape('body', ['One point', 'Another']) + shape('title', ['Returns']),
          notes: 'Mention the exception.',
        },
        { shapes: shape(undefined, ['A box']) + shape('sldNum', ['2']) },
      ]),
    );
    expect(outline(blocks)).toEqual([
      '# Returns',
      '– One point',
      '– Another',
      '(note) Mention the exception.',
      '# Slide 2',
      'A box',
    ]);
    expect(blocks.map(({ locator }) => locator)).toEqual([
      ...Array<unknown>(4).fill({ slide: 1 }),
      ...Array<unknown>(2).fill({ slide: 2 }),
    ]);
    expect(progress).toBeGreaterThanOrEqual(2);
  });

  it('has tables with the names of their columns', async () => {
    const cell = (text: string, attributes = '') =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const table = `<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Country')}${cell('Days')}</a:tr><a:tr>${cell('Iceland', 'rowSpan="2"')}${cell('9')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('12')}</a:tr></a:tbl></p:graphicFrame>`;
    const { blocks } = await read(readPptx, pptx([{ shapes: shape('title', ['T']) + table }]));
    expect(outline(blocks)).toEqual(['# T', '[Country | Days]', '| Iceland | 9', '| Iceland | 12']);
  });

  it('has the values of its charts', async () => {
    const points = (values: readonly string[]) =>
      values.map((value, idx) => `<c:pt idx="${idx}"><c:v>${value}</c:v></c:pt>`).join('');
    const series = (name: string, values: readonly string[]) =>
      `<c:ser><c:tx><c:strRef><c:strCache>${points([name])}</c:strCache></c:strRef></c:tx>` +
      `<c:cat><c:strRef><c:strCache>${points(['2025', '2026'])}</c:strCache></c:strRef></c:cat>` +
      `<c:val><c:numRef><c:numCache>${points(values)}</c:numCache></c:numRef></c:val></c:ser>`;
    const chart =
      '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Staff</a:t></a:r></a:p></c:rich></c:tx></c:title>' +
      `<c:plotArea><c:barChart>${series('Oslo', ['12', '13'])}${series('Bergen', ['0.30000000000000004'])}</c:barChart></c:plotArea></c:chart></c:chartSpace>`;
    const slides = pptx(
      [{ shapes: shape('title', ['Headcount']) }],
      [
        relationships('ppt/slides/slide1.xml', [['chart', '../charts/chart1.xml']]),
        { name: 'ppt/charts/chart1.xml', content: chart },
      ],
    );
    expect(outline((await read(readPptx, slides)).blocks)).toEqual([
      '# Headcount',
      '(caption) Staff',
      '[ | Oslo | Bergen]',
      '| 2025 | 12 | 0.3',
      '| 2026 | 13 | ',
    ]);
  });

  const place = (x: number, y: number) =>
    `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="2000" cy="900"/></a:xfrm>`;
  const box = (text: string, x: number, y: number) =>
    `<p:sp><p:spPr>${place(x, y)}</p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const group = (x: number, y: number, inside: string) =>
    `<p:grpSp><p:grpSpPr>${place(x, y)}</p:grpSpPr>${inside}</p:grpSp>`;

  it.each([
    ['columns', box('right', 5000, 100) + box('left', 100, 100), ['left', 'right']],
    [
      'groups, and what is in them',
      group(5000, 100, box('right 2', 9, 5000) + box('right 1', 9, 100)) +
        group(100, 100, box('left 2', 9000, 100) + box('left 1', 9, 100)),
      ['left 1', 'left 2', 'right 1', 'right 2'],
    ],
    [
      'tables and text',
      box('below', 100, 5000) +
        `<p:graphicFrame><p:xfrm><a:off x="100" y="100"/><a:ext cx="2000" cy="900"/></p:xfrm><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`,
      ['| a | b', 'below'],
    ],
  ])('has its %s in the order in which they are read', async (_, shapes, lines) => {
    const { blocks } = await read(readPptx, pptx([{ shapes: shape('title', ['T']) + shapes }]));
    expect(outline(blocks)).toEqual(['# T', ...lines]);
  });

  it.each(['0', 'false'])('leaves out hidden slides (%s), and says so', async (show) => {
    const hidden = `<p:sld show="${show}"><p:cSld>${shape('title', ['Layoffs'])}</p:cSld></p:sld>`;
    const slides = pptx(
      [{ shapes: shape('title', ['One']) }, { shapes: '' }, { shapes: shape('title', ['Three']) }],
      [{ name: 'ppt/slides/slide2.xml', content: hidden }],
    );
    const { blocks, warnings } = await read(readPptx, slides);
    expect(outline(blocks)).toEqual(['# One', '# Three']);
    expect(blocks.at(-1)?.locator).toEqual({ slide: 3 });
    expect(warnings).toEqual([{ code: 'hidden_left_out', what: 'slide 2' }]);
  });

  it('says which charts and diagrams have no text', async () => {
    const part = (name: string) => ({ name: `ppt/${name}.xml`, content: '<x/>' });
    const slides = pptx(
      [{ shapes: shape('title', ['T']) }],
      [
        relationships('ppt/slides/slide1.xml', [
          ['chartEx', '../a.xml'],
          ['diagramData', '../b.xml'],
          ['chart', '../c.xml'],
        ]),
        ...['a', 'b', 'c'].map(part),
      ],
    );
    const { warnings } = await read(readPptx, slides);
    expect(warnings).toHaveLength(3);
    expect(warnings).toEqual(
      expect.arrayContaining([
        { code: 'not_read', what: 'chart' },
        { code: 'not_read', what: 'SmartArt' },
      ]),
    );
  });

  it('is read without a slide that is damaged, and says so', async () => {
    const slides = ['One', 'Two', 'Three'].map((title) => ({ shapes: shape('title', [title]) }));
    const { blocks, warnings } = await read(readPptx, pptx(slides, [SECOND]));
    expect(outline(blocks)).toEqual(['# One', '# Three']);
    expect(blocks.at(-1)?.locator).toEqual({ slide: 3 });
    expect(warnings).toEqual([{ code: 'slide_unreadable', message: 'Slide 2 could not be read.' }]);
  });

  it.each<[what: string, bytes: Uint8Array, code: string]>([
    ['has no slide', pptx([]), 'no_text_extracted'],
    ['is cut off', pptx([{ shapes: '' }]).subarray(0, 700), 'parse_failed'],
  ])('that %s is refused', async (_, bytes, code) => {
    await expect(read(readPptx, bytes)).rejects.toMatchObject({ code });
  });
});
