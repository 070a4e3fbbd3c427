import type { Block, ReadingContext } from './block.js';
import { withBoldHeadings } from './bold-headings.js';
import { withPictures } from './recognition/picture-places.js';
import { RtfBody } from './rtf/rtf-body.js';
import { rtfTokens } from './rtf/tokens.js';
import { toMarginBlocks } from './word/page-margins.js';

const PROGRESS_TOKENS = 20_000;

/** Reads an RTF document: headings by their styles, lists, tables, notes, pictures, headers and footers. */
export async function readRtf(content: Uint8Array, context: ReadingContext): Promise<Block[]> {
  const rtf = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const body = new RtfBody();
  let tokens = 0;
  for (const token of rtfTokens(rtf.toString('latin1'))) {
    body.add(token);
    if (++tokens % PROGRESS_TOKENS === 0) context.progress();
  }
  body.finish();
  if (body.hasHiddenText) context.warn({ code: 'hidden_left_out', what: 'hidden text' });
  const { blocks: places, bold } = body.text;
  const decodeHex = (digits: string) => Buffer.from(digits, 'hex');
  const texts = await withPictures(places, body.pictures, decodeHex, context);
  const said = new Set(texts.map((block) => ('text' in block ? block.text : '')));
  const headers = toMarginBlocks([body.headers], said);
  return [...headers, ...withBoldHeadings(texts, bold), ...toMarginBlocks([body.footers], said)];
}
