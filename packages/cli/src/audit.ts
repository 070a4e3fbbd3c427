import { createHmac } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from './commands.js';

/** How far back a repeated line may be: after a crash, a few batches may be written again. */
const REMEMBERED = 10_000;
/** A line ends with its hash, which covers all bytes before this comma. */
const SEALED = /^(\{.*),"hash":"([0-9a-f]{64})"\}\}$/;
const LINE_FEED = 0x0a;
/** The replacement for a character that was cut in its middle. */
const CUT_CHARACTER = /\uFFFD$/;
/** The beginning of every line, also of one that was cut at a crash. */
const BEGINNING = '{"category_uid":';

export class ChainBroken extends Error {}

interface Head {
  /** Undefined if the head may belong to any chain. */
  readonly chain?: string;
  readonly sequence: number;
  readonly hash: string;
}

interface VerifyOptions {
  readonly after?: Head;
  /** One head for each chain. */
  readonly head?: readonly Head[];
  readonly amongLogs?: boolean;
}

interface SealedLine {
  readonly text: string;
  readonly chain: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** @throws UsageError unless it is `sequence:hash` or `chain:sequence:hash` */
export function parseHead(text: string): Head {
  const [, chain, sequence, hash] =
    /^(?:([\w-]{1,64}):)?(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new UsageError('Say a head as <sequence>:<hash>, as npm run audit -- head prints it');
  }
  return { ...(chain !== undefined && { chain }), sequence: Number(sequence), hash };
}

/** Collects the values of an option that is given once for each chain. */
export const addHead = (text: string, heads: readonly Head[] = []): Head[] => [
  ...heads,
  parseHead(text),
];

/**
 * Checks the chain of lines in files of AUDIT_LOG, without the service.
 *
 * @param paths files, and folders of which all files are read; `-` is standard input
 */
export async function verifyAudit(paths: string[], options: VerifyOptions): Promise<void> {
  const keys = readKeys();
  const ordered = await sortByBeginning(paths.flatMap(listFiles), keys);
  const chain = new ChainVerifier(keys, options);
  for (const file of ordered) {
    let number = 0;
    for await (const text of readFileLines(file)) chain.take(text, `${file}:${++number}`);
  }
  chain.end();
  for (const line of chain.report()) console.log(line);
}

class ChainVerifier {
  private chain: string | undefined;
  private first: SealedLine | undefined;
  private last: SealedLine | undefined;
  private repeated = 0;
  private others = 0;
  /** The chain that has the line of a head. */
  private readonly reached = new Map<Head, string>();
  /** Heads whose hash differs from that of the line in the chain. */
  private readonly missed = new Set<Head>();
  private readonly hashes = new Map<number, string>();
  /** Beginnings of lines that were cut; the complete line must follow. */
  private cut: { text: string; place: string; sequence: number }[] = [];
  private readonly ended: string[] = [];
  /** The chains so far, with the number of the last line of each. */
  private readonly chains: { readonly chain: string; readonly sequence: number }[] = [];

  constructor(
    private readonly keys: Keys,
    private readonly options: VerifyOptions,
  ) {}

  take(text: string, place: string): void {
    if (text === '') return;
    const line = readLine(text, this.keys);
    if (typeof line === 'object') {
      this.follow(line, place);
      return;
    }
    if (line === 'cut') {
      const beginning = text.replace(CUT_CHARACTER, '');
      this.cut.push({ text: beginning, place, sequence: this.nextSequence });
    } else if (line === 'other' && this.options.amongLogs) this.others++;
    else this.fail(place, line === 'other' ? 'is no line of the audit' : line);
  }

  private get nextSequence(): number {
    return (this.last?.sequence ?? 0) + 1;
  }

  private follow(line: SealedLine, place: string): void {
    if (this.chain !== undefined && line.chain !== this.chain) {
      this.endChain();
      this.last = undefined;
      this.hashes.clear();
    }
    this.cut = this.cut.filter(({ text }) => !line.text.startsWith(text));
    if (this.hashes.get(line.sequence) === line.hash) {
      this.repeated++;
      return;
    }
    const { last } = this;
    if (!last) this.begin(line, place);
    else if (line.sequence > this.nextSequence) {
      this.fail(place, `follows ${last.sequence} with ${line.sequence}: lines are left out`);
    } else if (line.sequence < this.nextSequence) {
      this.fail(place, `has the number ${line.sequence}, which is before: put in, or reordered`);
    } else if (line.previousHash !== last.hash) {
      this.fail(place, `does not follow the line before: another line ${last.sequence} does`);
    }
    this.chain = line.chain;
    this.last = line;
    this.hashes.set(line.sequence, line.hash);
    this.noteHeads(line);
    this.hashes.delete(line.sequence - REMEMBERED);
  }

  private begin(line: SealedLine, place: string): void {
    const { after } = this.options;
    this.first = line;
    // A chain that begins after another one in the same files begins at 1.
    const isLater = this.ended.length > 0;
    const expected = isLater ? 1 : after && after.sequence + 1;
    if (expected !== undefined && line.sequence !== expected) {
      this.failAt(expected, place, `has the number ${line.sequence}: lines are left out`);
    }
    if (!isLater && after && line.previousHash !== after.hash) {
      this.failAt(line.sequence, place, 'does not follow the head that --after names');
    }
    if (line.sequence === 1 && line.previousHash !== '') {
      this.failAt(1, place, 'is not the first of a chain');
    }
  }

  private noteHeads(line: SealedLine): void {
    for (const head of this.options.head ?? []) {
      const isOfChain = head.chain === undefined || head.chain === line.chain;
      if (!isOfChain || head.sequence !== line.sequence) continue;
      if (head.hash === line.hash) this.reached.set(head, line.chain);
      else this.missed.add(head);
    }
  }

  end(): void {
    this.endChain();
    const { head: heads = [] } = this.options;
    for (const head of heads) {
      if (this.reached.has(head)) continue;
      if (this.missed.has(head)) {
        this.failAt(head.sequence, 'the chain', 'is another one there than --head names');
      }
      this.fail('no chain', `reaches line ${head.sequence} of --head: lines are cut off`);
    }
    if (heads.length === 0) return;
    const reached = new Set(this.reached.values());
    for (const { chain, sequence } of this.chains) {
      if (reached.has(chain)) continue;
      this.failAt(
        sequence + 1,
        `chain ${chain}`,
        'has no --head, without which nobody sees what was cut off its end: give one for each chain',
      );
    }
  }

  private endChain(): void {
    const [cut] = this.cut;
    if (cut) this.failAt(cut.sequence, cut.place, 'is cut');
    const { chain, first, last } = this;
    if (chain === undefined || !first || !last) return;
    this.chains.push({ chain, sequence: last.sequence });
    this.ended.push(
      `chain ${chain}: lines ${first.sequence} to ${last.sequence}, head ${last.sequence}:${last.hash}`,
    );
    if (first.sequence > 1) {
      this.ended.push(
        `  begins after ${first.sequence - 1}:${first.previousHash}, which was not given`,
      );
    }
  }

  report(): string[] {
    return [
      ...this.ended,
      ...(this.repeated > 0 ? [`${this.repeated} lines are there again, with the same bytes`] : []),
      ...(this.others > 0 ? [`${this.others} lines are none of the audit`] : []),
      this.ended.length === 0 ? 'no lines' : 'nothing is altered, left out or put in',
    ];
  }

  private fail(place: string, what: string): never {
    return this.failAt(this.nextSequence, place, what);
  }

  private failAt(sequence: number, place: string, what: string): never {
    throw new ChainBroken(`wrong from line ${sequence} of the chain on: ${place} ${what}`);
  }
}

type Keys = ReadonlyMap<string, Buffer>;

/** @returns the line; `cut` for the beginning of one; `other` for a line of another log; or what is wrong */
function readLine(text: string, keys: Keys): SealedLine | string {
  const [, open, hash] = SEALED.exec(text) ?? [];
  const parsed = parse(text);
  if (open === undefined || hash === undefined || parsed === undefined) {
    if (parsed === undefined && text.startsWith(BEGINNING)) return 'cut';
    if (parsed === undefined && BEGINNING.startsWith(text)) return 'cut';
    return isAudit(parsed) ? 'has no hash at its end' : 'other';
  }
  const { metadata, unmapped } = parsed as {
    metadata?: { sequence?: unknown };
    unmapped?: { chain_id?: unknown; key_id?: unknown; prev_hash?: unknown };
  };
  const { chain_id: chain, key_id: keyId, prev_hash: previousHash } = unmapped ?? {};
  const sequence = metadata?.sequence;
  const key = keys.get(String(keyId));
  if (key === undefined) return `is sealed with the key ${String(keyId)}, which was not given`;
  if (createHmac('sha256', key).update(open).digest('hex') !== hash) return 'is altered';
  return {
    text,
    chain: String(chain),
    sequence: Number(sequence),
    previousHash: String(previousHash),
    hash,
  };
}

const isAudit = (value: unknown) =>
  typeof value === 'object' && value !== null && 'class_uid' in value;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readKeys(): Keys {
  const { LATCHKEY_AUDIT_KEYS: text = '' } = process.env;
  const keys = text.split(',').map((entry): [string, Buffer] => {
    const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()) ?? [];
    if (id === undefined || base64 === undefined) {
      throw new UsageError(
        'put the keys that npm run audit -- keys prints into LATCHKEY_AUDIT_KEYS, separated by commas',
      );
    }
    return [id, Buffer.from(base64, 'base64')];
  });
  return new Map(keys);
}

/** Sorts files by the number of their first whole line, since a rotation may give them any names. */
async function sortByBeginning(files: string[], keys: Keys): Promise<string[]> {
  if (files.length < 2) return files;
  if (files.includes('-')) throw new UsageError('- stands for standard input, alone');
  const begins: { file: string; time: number; chain: string; sequence: number }[] = [];
  // Files are read one after the other, since there may be more of them than files may be open.
  for (const file of files) begins.push(await readBeginning(file, keys));
  const starts = new Map<string, number>();
  for (const { chain, time } of begins) {
    starts.set(chain, Math.min(time, starts.get(chain) ?? time));
  }
  return begins
    .sort(
      (a, b) => (starts.get(a.chain) ?? 0) - (starts.get(b.chain) ?? 0) || a.sequence - b.sequence,
    )
    .map(({ file }) => file);
}

async function readBeginning(file: string, keys: Keys) {
  for await (const text of readFileLines(file)) {
    const line = readLine(text, keys);
    if (typeof line === 'object') {
      const { time } = JSON.parse(text) as { time: number };
      return { file, time, chain: line.chain, sequence: line.sequence };
    }
  }
  return { file, time: 0, chain: '', sequence: 0 };
}

function listFiles(path: string): string[] {
  if (path === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Splits at line feeds alone: `node:readline` also splits at other characters, which a title may have. */
async function* readFileLines(file: string): AsyncGenerator<string> {
  const source: Readable = file === '-' ? process.stdin : createReadStream(file);
  let input = source;
  if (file.endsWith('.gz')) {
    const unzipped = createGunzip();
    source.on('error', (error) => unzipped.destroy(error));
    input = source.pipe(unzipped);
  }
  try {
    let begun: Buffer[] = [];
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        yield decodeLine([...begun, chunk.subarray(start, end)]);
        begun = [];
        start = end + 1;
      }
      begun.push(chunk.subarray(start));
    }
    yield decodeLine(begun);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    source.destroy();
  }
}

const decodeLine = (parts: readonly Buffer[]) => Buffer.concat(parts).toString().replace(/\r$/, '');
