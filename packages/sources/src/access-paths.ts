import { type AccessMap, type AccessRule, splitPath } from './access-map.js';

/**
 * What is known of a path of a map: it was that of documents; a run has asked about it, since it has never been,
 * or (`gone`) is no longer; or somebody has confirmed it then.
 */
type PathState = 'matched' | 'asked' | 'gone' | 'confirmed';
export type SettledPaths = Readonly<Record<string, PathState>>;

/** Which documents are held back: those that are new or open further, or all. */
type Hold = 'new' | 'all';

interface Place {
  readonly children: Map<string, Place>;
  /** Whether a document is here or below. */
  isSeen: boolean;
  hasRule: boolean;
  hold?: Hold;
}

/**
 * Compares the paths of an access map with a listing. A path with no document may be misspelt: what it
 * may be meant for is held back, unless somebody has confirmed it. That is what is in a place whose name
 * differs by case only; where there is none, whatever is in the deepest folder of the path that exists,
 * and has no rule of a deeper path.
 */
export class AccessPaths {
  private readonly root = newPlace();
  /** The same paths without differences of case. */
  private readonly folded = newPlace();
  /** Paths of the source that the map has only with other letters, by what they have in common. */
  private readonly alike = new Map<string, Set<string>>();
  private readonly settled: ReadonlyMap<string, PathState>;

  constructor(
    private readonly map: AccessMap = {},
    settled: SettledPaths = {},
    /** Whether somebody confirms what earlier runs have asked about. */
    private readonly isConfirmed = false,
  ) {
    this.settled = new Map(Object.entries(settled));
    for (const path of Object.keys(map)) {
      const names = splitPath(path);
      placeAt(this.root, names).hasRule = true;
      placeAt(this.folded, names.map(fold)).hasRule = true;
    }
  }

  /** Takes note of a document. */
  see(key: string): void {
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

  /** Whether documents may have to be held back although nothing of them has changed. */
  get mayHoldAll(): boolean {
    return this.unmatched.some((path) => this.findHold(path) === 'all');
  }

  /** Those that no document is at or below, after the last one. */
  get unmatched(): string[] {
    return Object.keys(this.map).filter((path) => !placeAt(this.root, splitPath(path)).isSeen);
  }

  /** What differs from a path by case only, at the source. */
  alikeTo(path: string): string[] {
    return [...(this.alike.get(fold(path)) ?? [])];
  }

  /** What is known of the paths for the next run. */
  get settledPaths(): SettledPaths {
    const unmatched = new Set(this.unmatched);
    return Object.fromEntries(
      Object.keys(this.map).flatMap((path) => {
        const state = unmatched.has(path) ? this.stateWithout(path) : 'matched';
        return state === undefined ? [] : [[path, state]];
      }),
    );
  }

  /** Decides after the last document what is held back; undefined for nothing. */
  end(): ((key: string) => Hold | undefined) | undefined {
    let holds = false;
    for (const path of this.unmatched) {
      const hold = this.findHold(path);
      if (hold === undefined) continue;
      holds = true;
      const alike = this.alikeTo(path).map((other) => placeAt(this.root, splitPath(other)));
      for (const place of alike.length > 0 ? alike : [this.deepestSeen(path)]) {
        place.hold = stronger(place.hold, hold);
      }
    }
    if (!holds) return undefined;
    return (key) => {
      let hold = this.root.hold;
      let place: Place | undefined = this.root;
      for (const name of splitPath(key)) {
        place = place.children.get(name);
        if (!place) break;
        // The map says what it means of this one.
        if (place.hasRule) hold = undefined;
        hold = stronger(hold, place.hold);
      }
      return hold;
    };
  }

  private findHold(path: string): Hold | undefined {
    const state = this.stateWithout(path);
    if (state === 'asked') return 'all';
    return state === 'gone' ? 'new' : undefined;
  }

  /** The state of a path that no document is at or below. */
  private stateWithout(path: string): PathState | undefined {
    const rule = this.map[path];
    const state = this.settled.get(path);
    // Nothing is held back, so nobody is asked.
    if (!rule || isOpen(rule) || state === 'confirmed') return state;
    if (this.isConfirmed && (state === 'asked' || state === 'gone')) return 'confirmed';
    return state === 'matched' || state === 'gone' ? 'gone' : 'asked';
  }

  private addAlike(path: string): void {
    if (Object.hasOwn(this.map, path)) return;
    const paths = this.alike.get(fold(path)) ?? new Set();
    this.alike.set(fold(path), paths.add(path));
  }

  private deepestSeen(path: string): Place {
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

/** Without differences of case and width. */
const fold = (name: string) => name.normalize('NFKC').toLowerCase();

/** Whatever such a rule is meant for, no other rule opens it to more people. */
const isOpen = ({ allow, deny }: AccessRule) => allow.includes('everyone') && deny.length === 0;

const stronger = (one: Hold | undefined, other: Hold | undefined): Hold | undefined =>
  one === 'all' || other === 'all' ? 'all' : (one ?? other);
