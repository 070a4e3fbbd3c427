const BYTE_ORDER_MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark names. */
export const markedEncoding = (content: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => content[index] === byte))?.[0];
