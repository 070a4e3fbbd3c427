import { type AccessMap, splitPath } from './access-map.js';
import type { AccessRule } from './access-rule.js';

/**
 * The state of a path in a map: `matched` documents before; `asked` about by a run, as it never matched any;
 * asked about since its documents are `gone`; or `confirmed` by an editor after a run asked.
 */
type PathState = 'matched' | 'asked' | 'gone' | 'confirmed';
export type SettledPaths = Readonly<Record<string, PathState>>;

/** Which documents are held back: those that are new or would open further, or all. */
type Hold = 'new' | 'all';

interface Place {
  readonly children: Map<string, Place>;
  /** Whether there is a document here or below. */
  isSeen: boolean;
  hasRule: boolean;
  hold?: Hold;
}

/**
 * Compares the paths of an access map with a listing. A path without documents may be misspelt, so the
 * documents that it may be meant for are held back until somebody confirms the path. These are the documents
 * at a path that differs only in case, or else those in the deepest existing folder of the path that no
 * deeper rule applies to.
 */
export class AccessPaths {
  private readonly root = newPlace();
  /** The paths of the map, folded so that case does not matter. */
  private readonly folded = newPlace();
  /** Paths of the source that match a path of the map except for case, by the folded path. */
  private readonly alike = new Map<string, Set<string>>();
  private readonly settled: ReadonlyMap<string, PathState>;

  constructor(
    private readonly map: AccessMap = {},
    settled: SettledPaths = {},
    /** Whether somebody confirms the paths that earlier runs have asked about. */
    private readonly isConfirmed = false,
  ) {
    this.settled = new Map(Object.entries(settled));
    for (const path of Object.keys(map)) {
      const names = splitPath(path);
      placeAt(this.root, names).hasRule = true;
      placeAt(this.folded, names.map(fold)).hasRule = true;
    }
  }

  /** Records a document of the listing. */
  addDocument(key: string): void {
    const names = splitPath(key);
    let place: Place | undefined = this.root;
    for (const name of names) {
      place.isSeen = true;
      place = place.children.get(name);
      if (!place) break;
    }
    if (place) place.isSeen = true;
    let folded: Place | undefined = this.folded;
    for (const [index, name] of names.entries()) {
      folded = folded.children.get(fold(name));
      if (!folded) break;
      if (folded.hasRule) this.addAlike(names.slice(0, index + 1).join('/'));
    }
  }

  /** Whether even unchanged documents may have to be held back. */
  get mayHoldAll(): boolean {
    return this.unmatched.some((path) => this.findHold(path) === 'all');
  }

  /** The paths without documents at or below them. Complete after the last document. */
  get unmatched(): string[] {
    return Object.keys(this.map).filter((path) => !placeAt(this.root, splitPath(path)).isSeen);
  }

  /** The paths of the source that differ from a path only in case. */
  findAlike(path: string): string[] {
    return [...(this.alike.get(fold(path)) ?? [])];
  }

  /** The states of the paths, to be stored for the next run. */
  get settledPaths(): SettledPaths {
    const unmatched = new Set(this.unmatched);
    return Object.fromEntries(
      Object.keys(this.map).flatMap((path) => {
        const state = unmatched.has(path) ? this.findState(path) : 'matched';
        return state === undefined ? [] : [[path, state]];
      }),
    );
  }

  /** Decides, after the last document, which documents are held back; undefined if none are. */
  decideHolds(): ((key: string) => Hold | undefined) | undefined {
    let holds = false;
    for (const path of this.unmatched) {
      const hold = this.findHold(path);
      if (hold === undefined) continue;
      holds = true;
      const alike = this.findAlike(path).map((other) => placeAt(this.root, splitPath(other)));
      for (const place of alike.length > 0 ? alike : [this.findDeepestSeen(path)]) {
        place.hold = chooseStronger(place.hold, hold);
      }
    }
    if (!holds) return undefined;
    return (key) => {
      let hold = this.root.hold;
      let place: Place | undefined = this.root;
      for (const name of splitPath(key)) {
        place = place.children.get(name);
        if (!place) break;
        // A rule of the map applies to this path.
        if (place.hasRule) hold = undefined;
        hold = chooseStronger(hold, place.hold);
      }
      return hold;
    };
  }

  private findHold(path: string): Hold | undefined {
    const state = this.findState(path);
    if (state === 'asked') return 'all';
    return state === 'gone' ? 'new' : undefined;
  }

  /** The state of a path without documents at or below it. */
  private findState(path: string): PathState | undefined {
    const rule = this.map[path];
    const state = this.settled.get(path);
    // Nothing would be held back, so there is nothing to confirm.
    if (!rule || isOpen(rule) || state === 'confirmed') return state;
    if (this.isConfirmed && (state === 'asked' || state === 'gone')) return 'confirmed';
    return state === 'matched' || state === 'gone' ? 'gone' : 'asked';
  }

  private addAlike(path: string): void {
    if (Object.hasOwn(this.map, path)) return;
    const paths = this.alike.get(fold(path)) ?? new Set();
    this.alike.set(fold(path), paths.add(path));
  }

  private findDeepestSeen(path: string): Place {
    let deepest = this.root;
    for (const name of splitPath(path)) {
      const place = deepest.children.get(name);
      if (!place?.isSeen) break;
      deepest = place;
    }
    return deepest;
  }
}

const newPlace = (): Place => ({ children: new Map(), isSeen: false, hasRule: false });

function placeAt(root: Place, names: readonly string[]): Place {
  let place = root;
  for (const name of names) {
    const next = place.children.get(name) ?? newPlace();
    place.children.set(name, next);
    place = next;
  }
  return place;
}

/** Folds the differences of case and width. */
const fold = (name: string) => name.normalize('NFKC').toLowerCase();

/** No other rule can open documents to more people than this one does. */
const isOpen = ({ allow, deny }: AccessRule) => allow.includes('everyone') && deny.length === 0;

const chooseStronger = (one: Hold | undefined, other: Hold | undefined): Hold | undefined =>
  one === 'all' || other === 'all' ? 'all' : (one ?? other);
