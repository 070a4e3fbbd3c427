import { type ZipEntry, zip } from './files.js';

/** Documents of the formats that are archives, made of their parts. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A part that says what another part refers to, by ids `r1`, `r2` and so on. */
export const relationships = (
  part: string,
  targets: readonly (readonly [type: string, target: string])[],
): ZipEntry => {
  const slash = part.lastIndexOf('/') + 1;
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="r${index + 1}" Type="${RELATIONSHIP}/${type}" Target="${target}"/>`,
  );
  return {
    name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
    content: `${XML}<Relationships>${each.join('')}</Relationships>`,
  };
};

/** The first part of each Office document. */
const CONTENT_TYPES: ZipEntry = {
  name: '[Content_Types].xml',
  content: `${XML}<Types><Default Extension="xml" ContentType="application/xml"/></Types>`,
};

const paragraphs = (texts: readonly string[]) =>
  texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('');

export const shape = (type: string | undefined, texts: readonly string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === undefined ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr>` +
  `<p:txBody>${paragraphs(texts)}</p:txBody></p:sp>`;

export interface SlideParts {
  /** DrawingML. */
  readonly shapes: string;
  readonly notes?: string;
}

export function pptx(slides: readonly SlideParts[], more: readonly ZipEntry[] = []): Buffer {
  const ids = slides.map((_, n) => `<p:sldId id="${256 + n}" r:id="r${n + 1}"/>`).join('');
  return zip([
    CONTENT_TYPES,
    relationships('', [['officeDocument', 'ppt/presentation.xml']]),
    {
      name: 'ppt/presentation.xml',
      content: `${XML}<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    },
    relationships(
      'ppt/presentation.xml',
      slides.map((_, n) => ['slide', `slides/slide${n + 1}.xml`]),
    ),
    ...slides.flatMap(({ shapes, notes }, n) => {
      const part = `ppt/slides/slide${n + 1}.xml`;
      const slide = { name: part, content: `${XML}<p:sld><p:cSld>${shapes}</p:cSld></p:sld>` };
      if (notes === undefined) return [slide];
      return [
        slide,
        relationships(part, [['notesSlide', `../notesSlides/notes${n + 1}.xml`]]),
        {
          name: `ppt/notesSlides/notes${n + 1}.xml`,
          content: `${XML}<p:notes>${shape('sldImg', [])}${shape('body', [notes])}${shape('sldNum', ['1'])}</p:notes>`,
        },
      ];
    }),
    ...more,
  ]);
}

export interface SheetParts {
  readonly name: string;
  /** The cells of SpreadsheetML in their rows. */
  readonly data: string;
  readonly columns?: string;
  readonly merged?: string;
  readonly state?: string;
}

export interface WorkbookParts {
  readonly strings?: readonly string[];
  /** The pattern of each style, by its number from 0. */
  readonly formats?: readonly string[];
}

export function xlsx(
  sheets: readonly SheetParts[],
  { strings = [], formats = [] }: WorkbookParts = {},
  more: readonly ZipEntry[] = [],
): Buffer {
  const names = sheets.map(
    ({ name, state = 'visible' }, n) =>
      `<sheet name="${name}" sheetId="${n + 1}" state="${state}" r:id="r${n + 1}"/>`,
  );
  const patterns = formats.map(
    (pattern, n) => `<numFmt numFmtId="${200 + n}" formatCode="${pattern}"/>`,
  );
  const styles = formats.map((_, n) => `<xf numFmtId="${200 + n}"/>`);
  return zip([
    CONTENT_TYPES,
    relationships('', [['officeDocument', 'xl/workbook.xml']]),
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook><sheets>${names.join('')}</sheets></workbook>`,
    },
    relationships('xl/workbook.xml', [
      ...sheets.map((_, n) => ['worksheet', `worksheets/sheet${n + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ]),
    {
      name: 'xl/sharedStrings.xml',
      content: `${XML}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${XML}<styleSheet><numFmts>${patterns.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ data, columns = '', merged = '' }, n) => ({
      name: `xl/worksheets/sheet${n + 1}.xml`,
      content: `${XML}<worksheet>${columns}<sheetData>${data}</sheetData>${merged}</worksheet>`,
    })),
    ...more,
  ]);
}

/** Rows of cells with texts and numbers, from A1 on; `undefined` is an empty cell. */
export const sheetData = (rows: readonly (readonly (string | number | undefined)[])[]): string =>
  rows
    .map((cells, row) => {
      const each = cells.map((value, column) => {
        const reference = `${String.fromCharCode(0x41 + column)}${row + 1}`;
        if (value === undefined) return '';
        return typeof value === 'number'
          ? `<c r="${reference}"><v>${value}</v></c>`
          : `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
      });
      return `<row r="${row + 1}">${each.join('')}</row>`;
    })
    .join('');

/** @param body OpenDocument text */
export function odt(body: string, styles = '', more: readonly ZipEntry[] = []): Buffer {
  return zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'content.xml',
      content: `${XML}<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    },
    ...more,
  ]);
}

export interface ChapterParts {
  /** In the table of contents, if it stands there. */
  readonly title?: string | readonly string[];
  /** XHTML. */
  readonly body: string;
}

export function epub(chapters: readonly ChapterParts[], more: readonly ZipEntry[] = []): Buffer {
  const file = (n: number) => `text/chapter-${n + 1}.xhtml`;
  const items = chapters.map((_, n) => `<item id="c${n}" href="${file(n)}"/>`).join('');
  const spine = chapters.map((_, n) => `<itemref idref="c${n}"/>`).join('');
  const entries = chapters.map(({ title }, n) =>
    [title ?? []]
      .flat()
      .map((each, place) => `<li><a href="${file(n)}#place-${place}">${each}</a></li>`)
      .join(''),
  );
  return zip([
    { name: 'mimetype', content: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      content: `${XML}<container><rootfiles><rootfile full-path="book/content.opf"/></rootfiles></container>`,
    },
    {
      name: 'book/content.opf',
      content: `${XML}<package><manifest><item id="nav" href="nav.xhtml" properties="nav"/>${items}</manifest><spine><itemref idref="nav"/>${spine}</spine></package>`,
    },
    {
      name: 'book/nav.xhtml',
      content: `${XML}<html><body><nav><ol>${entries.join('')}</ol></nav></body></html>`,
    },
    ...chapters.map(({ body }, n) => ({
      name: `book/${file(n)}`,
      content: `${XML}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
    })),
    ...more,
  ]);
}
