import { isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { decode, findEncodingName } from '../encodings.js';

/** Lines that may be the headers of a part. */
const HEADERS = /(?:^[\w-]{1,80}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+/gm;
const TEXT_WITH_CHARSET =
  /^content-type:\s*text\/[^:]*?;\s*charset\*?\d*\*?\s*=\s*["']?([^\s"';]{1,40})/im;
/** Longer matches are text rather than headers. */
const MAX_HEADERS = 10_000;
/** The encodings of further parts are ignored. */
const MAX_PARTS = 100;

/** Reads the encodings of attachments by file name, which the mail parser leaves out. */
export async function readAttachmentCharsets(content: Uint8Array): Promise<Map<string, string>> {
  const charsets = new Map<string, string>();
  let parts = 0;
  for (const [headers] of Buffer.from(content).toString('latin1').matchAll(HEADERS)) {
    if (headers.length > MAX_HEADERS || !/name/i.test(headers)) continue;
    const charset = TEXT_WITH_CHARSET.exec(headers)?.[1];
    if (charset === undefined) continue;
    if (++parts > MAX_PARTS) break;
    const { attachments } = await PostalMime.parse(Buffer.from(`${headers}\n-`, 'latin1'));
    const name = attachments[0]?.filename;
    if (name) charsets.set(name, charset);
  }
  return charsets;
}

/** The encoding that a part of a mail declares, if its content is really in it. */
export function chooseCharset(
  bytes: Uint8Array,
  declared: string | undefined,
): { charset?: string } {
  const charset = declared === undefined ? undefined : findEncodingName(declared);
  // Programs that send mails name their own encoding for texts in UTF-8, too.
  if (charset === undefined || isUtf8(bytes)) return {};
  return decode(bytes, charset) === undefined ? {} : { charset };
}
