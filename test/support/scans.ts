import sharp, { type Sharp } from 'sharp';
import { openPdfImages } from '@latchkey/extraction/recognition/pdf-images';
import { pageOf, pdf } from './pdf.mjs';

/** A picture of lines of ASCII text, as a scanner makes one. */
export async function scan(lines: readonly string[]): Promise<Sharp> {
  const images = await openPdfImages(pdf([pageOf(lines)]));
  const image = await images.draw(1, 0);
  images.close();
  if (!image) throw new Error('The page cannot be drawn');
  const { pixels, width, height } = image;
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

/** A PDF whose pages are nothing but pictures, one each. */
export async function pdfOfScans(scans: readonly Sharp[]): Promise<Buffer> {
  const pages = await Promise.all(
    scans.map(async (picture) => {
      const { data, info } = await picture
        .clone()
        .extractChannel(0)
        .raw()
        .toBuffer({ resolveWithObject: true });
      const start = `q 612 0 0 792 0 0 cm BI /W ${info.width} /H ${info.height} /CS /G /BPC 8 ID `;
      return Buffer.concat([Buffer.from(start), data, Buffer.from(' EI Q')]);
    }),
  );
  return pdf(pages);
}

/** Grey points without any text, which recognition takes for text and tries for long. */
export function noise(side: number): Sharp {
  let state = 7;
  const pixels = Uint8Array.from({ length: side * side }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state >> 23;
  });
  return sharp(pixels, { raw: { width: side, height: side, channels: 1 } });
}
