import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@latchkey/text/parse-json';
import type { SourceEntry } from '@latchkey/sources/source-kind';

/** Refusals because of the content: loading it again would change nothing. */
const LASTING: ReadonlySet<string> = new Set(['unsupported_media_type', 'too_large']);
const MAX_REFUSED = 10_000;
/** Refused documents are tried again after this time, because a new release may read the format. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * Remembers refused documents of a source, so that runs do not load them again until their versions change.
 * They are stored in the work folder; if it is lost, they are loaded once more.
 */
export class RefusedDocuments {
  private isChanged = false;

  private constructor(
    private readonly path: string,
    private readonly since: number,
    private readonly refusals: Map<string, Refusal>,
  ) {}

  static async read(workFolder: string): Promise<RefusedDocuments> {
    const path = join(workFolder, 'refused.json');
    try {
      const text = await readFile(path, 'utf8');
      const { since, refusals } = parseJson(text) as {
        since: number;
        refusals: [string, Refusal][];
      };
      if (Date.now() - since < FORGOTTEN_MS) {
        return new RefusedDocuments(path, since, new Map(refusals));
      }
    } catch {
      // There is no file, or a process ended while writing it.
    }
    return new RefusedDocuments(path, Date.now(), new Map());
  }

  findRefusal(entry: SourceEntry): Refusal | undefined {
    return this.refusals.get(hashVersion(entry));
  }

  add(entry: SourceEntry, { code, message }: Refusal): void {
    if (!LASTING.has(code) || this.refusals.size >= MAX_REFUSED) return;
    this.refusals.set(hashVersion(entry), { code, message });
    this.isChanged = true;
  }

  async save(): Promise<void> {
    if (!this.isChanged) return;
    const { since, refusals } = this;
    await writeFile(this.path, JSON.stringify({ since, refusals: [...refusals] }));
  }
}

const hashVersion = ({ key, version }: SourceEntry) =>
  createHash('sha256')
    .update(JSON.stringify([key, version]))
    .digest('base64url');
