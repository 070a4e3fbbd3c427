// Pages of a known text as a scanner makes them: turned by two degrees, with noise, at 150 dpi.
// Needs the fonts of Debian's fonts-liberation, fonts-noto-cjk and fonts-noto-core.
import sharp from 'sharp';
import { pdf } from '../../test/support/pdf.mjs';

const DPI = 150;
/** A sheet of 8.5 by 11 inches. */
const WIDTH = 1275;
const HEIGHT = 1650;
const MARGIN = 130;
const DEGREES = 2;
/** Standard deviation of each pixel, of 255. */
const NOISE = 18;
const RIGHT_TO_LEFT = new Set(['ar']);

/** Sizes of print as letters, forms and contracts have them, and two columns. */
const LAYOUTS = [
  { points: 12, columns: 1, isSerif: false },
  { points: 11, columns: 1, isSerif: true },
  { points: 10, columns: 1, isSerif: false },
  { points: 10, columns: 2, isSerif: true },
];

/** @param {string[]} paragraphs of which all but the title come twice, so that they fill a page */
export const wordsOnPage = ([title = '', ...rest]) => [title, ...rest, ...rest];

/**
 * @param {import('./page-texts.mjs').PageText} text
 * @returns {Promise<{ file: Buffer, pages: number }>} a PDF of pictures, one page of each layout
 */
export async function scannedPages(text) {
  const pages = await Promise.all(LAYOUTS.map((layout) => scannedPage(text, layout)));
  return { file: pdf(pages), pages: pages.length };
}

/**
 * @param {import('./page-texts.mjs').PageText} text
 * @param {typeof LAYOUTS[number]} layout
 */
async function scannedPage({ paragraphs, font, serif, language }, { points, columns, isSerif }) {
  const [title = '', ...rest] = wordsOnPage(paragraphs);
  const family = isSerif ? serif : font;
  const isLeftward = RIGHT_TO_LEFT.has(language);
  const gap = columns === 1 ? 0 : 70;
  const width = Math.floor((WIDTH - 2 * MARGIN - gap * (columns - 1)) / columns);
  const block = (/** @type {string} */ words, /** @type {number} */ size) =>
    sharp({
      text: {
        text: words,
        font: `${family} ${size}`,
        width,
        dpi: DPI,
        wrap: 'word-char',
        spacing: 6,
        align: isLeftward ? 'right' : 'left',
      },
    })
      .negate()
      .png()
      .toBuffer({ resolveWithObject: true });
  const half = Math.ceil(rest.length / columns);
  const heading = await block(title, points + 5);
  const place = (/** @type {number} */ column, /** @type {number} */ taken) => {
    const at = isLeftward ? columns - 1 - column : column;
    const left = MARGIN + at * (width + gap);
    return isLeftward ? left + width - taken : left;
  };
  const layers = [{ input: heading.data, left: place(0, heading.info.width), top: MARGIN }];
  const below = MARGIN + heading.info.height + 40;
  for (let column = 0; column < columns; column++) {
    const own = rest.slice(column * half, (column + 1) * half).join('\n\n');
    const { data, info } = await block(own, points);
    layers.push({ input: data, left: place(column, info.width), top: below });
  }
  const page = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: 'white' },
  })
    .composite(layers)
    .png()
    .toBuffer();
  const noise = await sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: NOISE },
    },
  })
    .png()
    .toBuffer();
  const turned = await sharp(page)
    .rotate(DEGREES, { background: 'white' })
    .toBuffer({ resolveWithObject: true });
  const scanned = await sharp(turned.data)
    .extract({
      left: Math.floor((turned.info.width - WIDTH) / 2),
      top: Math.floor((turned.info.height - HEIGHT) / 2),
      width: WIDTH,
      height: HEIGHT,
    })
    .composite([{ input: noise, blend: 'hard-light' }])
    .toColourspace('b-w')
    .jpeg({ quality: 80 })
    .toBuffer();
  return pictureOnPage(scanned);
}

/** @param {Buffer} jpeg */
function pictureOnPage(jpeg) {
  const head = `q 612 0 0 792 0 0 cm BI /W ${WIDTH} /H ${HEIGHT} /CS /G /BPC 8 /F /DCT ID `;
  return Buffer.concat([Buffer.from(head), jpeg, Buffer.from(' EI Q')]);
}
