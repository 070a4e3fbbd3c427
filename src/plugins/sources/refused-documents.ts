import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@latchkey/text/parse-json';
import type { SourceEntry } from '@latchkey/sources/source-kind';

/** Those that say something about the content, so that loading it once more would change nothing. */
const LASTING: ReadonlySet<string> = new Set(['unsupported_media_type', 'too_large']);
const MAX_REFUSED = 10_000;
/** Afterwards another release may read the format, or the limit be a higher one. */
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/**
 * Documents of a source that were refused, so that they are not loaded at each run while their versions
 * stay the same. Kept in the work folder: where it is lost, they are loaded once more.
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
      // There is none, or a process ended while it wrote.
    }
    return new RefusedDocuments(path, Date.now(), new Map());
  }

  of(entry: SourceEntry): Refusal | undefined {
    return this.refusals.get(nameOf(entry));
  }

  add(entry: SourceEntry, { code, message }: Refusal): void {
    if (!LASTING.has(code) || this.refusals.size >= MAX_REFUSED) return;
    this.refusals.set(nameOf(entry), { code, message });
    this.isChanged = true;
  }

  async save(): Promise<void> {
    if (!this.isChanged) return;
    const { since, refusals } = this;
    await writeFile(this.path, JSON.stringify({ since, refusals: [...refusals] }));
  }
}

const nameOf = ({ key, version }: SourceEntry) =>
  createHash('sha256')
    .update(JSON.stringify([key, version]))
    .digest('base64url');
