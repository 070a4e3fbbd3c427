import { DOC, DOCX, MSG, PPT, PPTX, XLS, XLSX } from '../formats.js';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MAX_NAME_BYTES = 64;
/** The directory of a mail with hundreds of attachments has more sectors; its first ones are enough. */
const MAX_DIRECTORY_SECTORS = 512;
const MAX_ENTRIES = 4096;

/** Bytes of a file; fewer at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** An entry in the root of a compound file, the container of Office before 2007 and of Outlook. */
interface RootEntry {
  readonly name: string;
  /** The first bytes; empty for a stream that is shorter than a sector. */
  readonly start: Buffer;
}

export const isCompoundFile = (content: Uint8Array): boolean =>
  SIGNATURE.equals(content.subarray(0, SIGNATURE.length));

/** @returns undefined for a damaged file, or one of another program */
export async function detectCompoundFileType(
  readAt: ReadAt,
  extension: string,
): Promise<string | undefined> {
  const names = new Set((await readRootEntries(readAt)).map(({ name }) => name));
  if (names.has('EncryptedPackage')) {
    // An encrypted file of Office since 2007 does not reveal its type.
    return (
      new Map([
        ['.xlsx', XLSX],
        ['.pptx', PPTX],
      ]).get(extension) ?? DOCX
    );
  }
  if (names.has('__properties_version1.0')) return MSG;
  if (names.has('WordDocument')) return DOC;
  if (names.has('Workbook') || names.has('Book')) return XLS;
  return names.has('PowerPoint Document') ? PPT : undefined;
}

/** The entries of the root storage, as far as the file is whole. */
export async function readRootEntries(readAt: ReadAt): Promise<RootEntry[]> {
  const header = await readAt(0, HEADER_BYTES);
  if (header.length < HEADER_BYTES || !isCompoundFile(header)) return [];
  const sectorBytes = header.readUInt16LE(30) === 12 ? 4096 : 512;
  const sector = (number: number) => readAt((number + 1) * sectorBytes, sectorBytes);
  const perSector = sectorBytes / 4;
  const next = async (number: number): Promise<number> => {
    const index = Math.floor(number / perSector);
    // Larger files have further parts of the table elsewhere; their directory begins before these.
    if (index >= 109) return -1;
    const table = await sector(header.readUInt32LE(76 + 4 * index));
    const at = (number % perSector) * 4;
    return at + 4 <= table.length ? table.readInt32LE(at) : -1;
  };
  const sectors: Buffer[] = [];
  for (
    let number = header.readInt32LE(48);
    number >= 0 && sectors.length < MAX_DIRECTORY_SECTORS;
    number = await next(number)
  ) {
    const bytes = await sector(number);
    if (bytes.length === 0) break;
    sectors.push(bytes);
  }
  const directory = Buffer.concat(sectors);
  const minimum = header.readUInt32LE(56);
  const found: RootEntry[] = [];
  for (const entry of listRootChildren(directory)) {
    const isShort = entry.readUInt32LE(120) < minimum;
    const start = isShort ? Buffer.alloc(0) : await sector(entry.readUInt32LE(116));
    found.push({ name: readName(entry), start });
  }
  return found;
}

/** The entries below the root, which are stored as a tree of siblings. */
function listRootChildren(directory: Buffer): Buffer[] {
  const entryAt = (index: number) =>
    directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
  const root = entryAt(0);
  if (root.length < ENTRY_BYTES) return [];
  const waiting = [root.readInt32LE(76)];
  const seen = new Set<number>();
  const found: Buffer[] = [];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index < 0 || seen.has(index) || seen.size >= MAX_ENTRIES) continue;
    seen.add(index);
    const entry = entryAt(index);
    if (entry.length < ENTRY_BYTES) continue;
    found.push(entry);
    waiting.push(entry.readInt32LE(68), entry.readInt32LE(72));
  }
  return found;
}

function readName(entry: Buffer): string {
  const bytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), MAX_NAME_BYTES);
  return entry.toString('utf16le', 0, bytes);
}
