import { type Figure, findFigures } from './figures.js';
import { addFields } from './form-fields.js';
import type { OpenPdf } from './open-pdf.js';
import type { PdfiumFunctions } from './pdfium.js';
import { SegmentBuilder } from './segment-builder.js';
import { INVISIBLE, isGarbled, needsRecognition } from './scanned.js';
import type { PageText, PageRow, Segment } from './segment.js';

/** The style of a text object on the page. */
export interface Style {
  readonly size: number;
  readonly bold: boolean;
  readonly monospaced: boolean;
  readonly invisible: boolean;
  /** Quarter turns to the left. */
  readonly turns: number;
}

const FIXED_PITCH = 1;
const FORCE_BOLD = 1 << 18;
const BOLD_WEIGHT = 600;
const BOLD_NAME = /bold|black|heavy|[-,]semi|demi|cmbx|medi\b/i;
const MONOSPACED_NAME = /mono|courier|consol|menlo|typewriter|cmtt|fixed/i;
const MAX_NAME = 256;
/** Segments on baselines this close, as a share of their size, are in one row. */
const SAME_LINE = 0.35;
const MAX_SEGMENTS = 100;

interface ReadPage extends PageText {
  /** Whether the page shows something that is not in its text. */
  readonly needsRecognition: boolean;
  /** Whether its text was left out because the letters look different from their characters. */
  readonly isGarbled: boolean;
  readonly figures: readonly Figure[];
}

/**
 * @param hasFigures whether its pictures are looked for
 * @returns null for a page that cannot be read
 */
export function readPage(
  functions: PdfiumFunctions,
  pdf: OpenPdf,
  index: number,
  hasFigures: boolean,
): ReadPage | null {
  const { document, scratch } = pdf;
  const page = functions.FPDF_LoadPage(document, index);
  if (page === 0) return null;
  const text = functions.FPDFText_LoadPage(page);
  try {
    if (text === 0) return null;
    const height = functions.FPDF_GetPageHeightF(page);
    const builder = new SegmentBuilder();
    const styles = new Styles(functions, scratch.address, (offset) => scratch.float(offset), text);
    const { address } = scratch;
    const counts = { all: 0, broken: 0, invisible: 0 };
    const count = functions.FPDFText_CountChars(text);
    for (let char = 0; char < count; char++) {
      const object = functions.FPDFText_GetTextObject(text, char);
      const code = functions.FPDFText_GetUnicode(text, char);
      // Generated spaces and line ends have no position; gaps are more reliable.
      if (object === 0) {
        builder.addGenerated(code);
        continue;
      }
      const style = styles.getStyle(object, char);
      counts.all++;
      if (style.invisible) counts.invisible++;
      if (hasNoCharacter(code)) counts.broken++;
      functions.FPDFText_GetLooseCharBox(text, char, address);
      functions.FPDFText_GetCharOrigin(text, char, address + 16, address + 24);
      builder.add(
        code,
        {
          left: scratch.float(0),
          top: scratch.float(4),
          right: scratch.float(8),
          bottom: scratch.float(12),
        },
        { x: scratch.double(16), y: scratch.double(24) },
        style,
      );
    }
    const rows = builder.end().flatMap((segments) => toRows(segments, index + 1));
    const read = { number: index + 1, height, rows };
    const isWrong = isGarbled(read, counts);
    const isWanted = isWrong || needsRecognition(functions, page, address, read, counts);
    if (isWrong) rows.length = 0;
    addFields(functions, pdf, page, index + 1, rows);
    return {
      ...read,
      needsRecognition: isWanted,
      isGarbled: isWrong,
      figures: hasFigures ? findFigures(functions, pdf, page) : [],
    };
  } finally {
    if (text !== 0) functions.FPDFText_ClosePage(text);
    functions.FPDF_ClosePage(page);
  }
}

/** The styles of the text objects on an open page. */
class Styles {
  private object = 0;
  private style: Style = { size: 0, bold: false, monospaced: false, invisible: false, turns: 0 };
  private readonly known = new Map<string, Style>();
  private readonly fonts = new Map<number, { bold: boolean; monospaced: boolean }>();

  constructor(
    private readonly functions: PdfiumFunctions,
    private readonly address: number,
    private readonly float: (offset: number) => number,
    private readonly text: number,
  ) {}

  getStyle(object: number, char: number): Style {
    if (object === this.object) return this.style;
    this.object = object;
    const { functions, address, float } = this;
    const isSet = functions.FPDFText_GetMatrix(this.text, char, address);
    const [a, b] = isSet === 0 ? [1, 0] : [float(0), float(4)];
    const scale = isSet === 0 ? 1 : Math.hypot(float(8), float(12));
    const font = this.readFont(functions.FPDFTextObj_GetFont(object));
    this.style = this.shareStyle({
      size: functions.FPDFText_GetFontSize(this.text, char) * (scale || 1),
      bold: font.bold || functions.FPDFText_GetFontWeight(this.text, char) >= BOLD_WEIGHT,
      monospaced: font.monospaced,
      invisible: functions.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE,
      turns: (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4,
    });
    return this.style;
  }

  /** Returns the same object for equal styles. */
  private shareStyle(style: Style): Style {
    const key = `${style.size.toFixed(1)} ${style.bold} ${style.monospaced} ${style.invisible} ${style.turns}`;
    const known = this.known.get(key);
    if (!known) this.known.set(key, style);
    return known ?? style;
  }

  private readFont(font: number) {
    const known = this.fonts.get(font);
    if (known) return known;
    const { functions, address } = this;
    const bytes = font === 0 ? 0 : functions.FPDFFont_GetBaseFontName(font, address, MAX_NAME);
    const name = Buffer.from(
      new Uint8Array(functions.memory.buffer, address, Math.min(bytes, MAX_NAME)),
    ).toString('latin1');
    const flags = font === 0 ? 0 : functions.FPDFFont_GetFlags(font);
    const found = {
      bold: BOLD_NAME.test(name) || (flags & FORCE_BOLD) !== 0,
      monospaced: MONOSPACED_NAME.test(name) || (flags & FIXED_PITCH) !== 0,
    };
    this.fonts.set(font, found);
    return found;
  }
}

/** Whether the font of a letter gives no character, or one for private use. */
const hasNoCharacter = (code: number): boolean =>
  code === 0 || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff);

/** Puts segments that follow each other on one baseline into rows. */
function toRows(segments: readonly Segment[], page: number): PageRow[] {
  const rows: PageRow[] = [];
  let row: PageRow | undefined;
  for (const segment of segments) {
    const isSame =
      row !== undefined &&
      row.segments.length < MAX_SEGMENTS &&
      Math.abs(row.y - segment.y) <= SAME_LINE * segment.size &&
      row.segments.every(
        ({ left, right }) => segment.left >= right - 1 || segment.right <= left + 1,
      );
    if (row && isSame) row.segments.push(segment);
    else {
      row = { page, y: segment.y, segments: [segment] };
      rows.push(row);
    }
  }
  for (const { segments: ofRow } of rows) ofRow.sort((one, other) => one.left - other.left);
  return rows;
}
