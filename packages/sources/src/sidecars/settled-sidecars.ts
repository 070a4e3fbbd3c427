import type { SettledPaths } from '../access-paths.js';
import type { SidecarReport } from '../source-kind.js';
import { getFolder } from './sidecars.js';
import { SIDECAR } from './sidecar.js';

export { SIDECAR };

type State = SettledPaths[string];

/**
 * Compares the sidecars of a listing with those of earlier runs. What a sidecar stood for that is gone, or a
 * name of `files` that no file has, is held back until somebody confirms it: the sidecar may have been lost,
 * and the name may be misspelt.
 */
export class SettledSidecars {
  private readonly states = new Map<string, State>();
  /** Folders whose sidecar is gone, and whether there is a document in them or below. */
  private readonly gone = new Map<string, boolean>();
  private readonly holds = new Map<string, 'new' | 'all'>();
  /** The names without a file, by the key of their sidecar. */
  private readonly unmatched: { key: string; name: string }[] = [];

  constructor(
    private readonly report: SidecarReport = { sidecars: [], problems: [] },
    settled: SettledPaths = {},
    isConfirmed = false,
  ) {
    const before = new Map(Object.entries(settled));
    const confirm = (state: State | undefined): State | undefined =>
      isConfirmed && (state === 'asked' || state === 'gone') ? 'confirmed' : state;
    for (const { folder, names } of report.sidecars) {
      this.states.set(toStateKey(folder), 'matched');
      for (const { name, isFound, isOpen } of names) {
        const key = toStateKey(folder, name);
        const state = isFound ? 'matched' : confirm(before.get(key));
        const isSettled = isFound || isOpen || state === 'confirmed';
        const next = isSettled ? state : state === 'matched' || state === 'gone' ? 'gone' : 'asked';
        if (next !== undefined) this.states.set(key, next);
        if (isFound) continue;
        this.unmatched.push({ key: toPath(folder), name });
        if (isSettled) continue;
        const hold = next === 'gone' ? 'new' : 'all';
        if (this.holds.get(folder) !== 'all') this.holds.set(folder, hold);
      }
    }
    for (const [key, state] of before) {
      const folder = readFolder(key);
      if (folder === undefined || this.states.has(key)) continue;
      if (confirm(state) !== 'confirmed') this.gone.set(folder, false);
    }
  }

  addDocument(key: string): void {
    for (const folder of this.findGone(key)) this.gone.set(folder, true);
  }

  get mayHoldAll(): boolean {
    return [...this.holds.values()].includes('all');
  }

  /** Decides, after the last document, which documents are held back; undefined if none are. */
  decideHolds(): ((key: string) => 'new' | 'all' | undefined) | undefined {
    if (this.holds.size === 0 && this.gone.size === 0) return undefined;
    return (key) => {
      const hold = this.holds.get(getFolder(key));
      return hold === undefined && this.findGone(key).length > 0 ? 'new' : hold;
    };
  }

  /** The folders above a document whose sidecar is gone. */
  private findGone(key: string): string[] {
    if (this.gone.size === 0) return [];
    const folders = [...this.gone.keys()].filter(isAbove);
    for (let folder = getFolder(key); ; folder = getFolder(folder)) {
      if (this.gone.has(folder)) folders.push(folder);
      if (folder === '') return folders;
    }
  }

  /** What the run says of the sidecars, after the last document. */
  get errors(): { key: string; code: string; message: string }[] {
    const broken = this.report.problems.map((one) => ({ ...one, code: 'access_unreadable' }));
    const unmatched = this.unmatched.map(({ key, name }) => ({
      key,
      code: 'access_path_unmatched',
      message: `No file in its folder is named ${JSON.stringify(name)}.`,
    }));
    const lost = this.listLost().map((folder) => ({
      key: toPath(folder),
      code: 'access_path_unmatched',
      message: 'It was there in an earlier run. What it allowed is held back.',
    }));
    return [...broken, ...lost, ...unmatched];
  }

  /** The states, to be stored for the next run. Their keys begin with a slash, as no path of a map does. */
  get settledPaths(): SettledPaths {
    const lost = this.listLost().map((folder): [string, State] => [toStateKey(folder), 'gone']);
    return Object.fromEntries([...this.states, ...lost]);
  }

  private listLost(): string[] {
    return [...this.gone].filter(([, hasDocuments]) => hasDocuments).map(([folder]) => folder);
  }
}

const toPath = (folder: string) => (folder === '' ? SIDECAR : `${folder}/${SIDECAR}`);

const toStateKey = (folder: string, name?: string) =>
  `/${toPath(folder)}${name === undefined ? '' : `/${name}`}`;

/** Whether a folder is one above the source, and so above all documents. */
const isAbove = (folder: string) => folder === '..' || folder.startsWith('../');

/** The folder of a state that is of a sidecar itself, rather than of a name in one or a path of a map. */
const readFolder = (key: string): string | undefined =>
  key.startsWith('/') && key.endsWith(`/${SIDECAR}`)
    ? key.slice(1, key.length - SIDECAR.length - 1)
    : undefined;
