import { type AccessMap, findAccess } from '../access-map.js';
import {
  addDenied,
  type AccessRule,
  type FoundAccess,
  intersectAllowed,
  intersectRules,
} from '../access-rule.js';
import { SourceError, type SidecarReport } from '../source-kind.js';
import {
  InvalidSidecar,
  isPattern,
  parseSidecar,
  type Sidecar,
  SIDECAR,
  type SidecarRule,
} from './sidecar.js';
import { matchesPattern } from './wildcards.js';

const MAX_SIDECARS = 1000;

/** The content of a sidecar, or the reason why it cannot be read. */
export type SidecarContent = Uint8Array | { readonly problem: string };

/** The rule of a folder: of its own sidecar and those above it. */
interface FolderRule extends SidecarRule {
  readonly isClosed?: boolean;
}

interface ReadSidecar {
  readonly path: string;
  readonly sidecar: Sidecar | undefined;
  readonly patterns: readonly string[];
  /** The names of `files`, and whether there is such a file. */
  readonly names: Map<string, boolean>;
}

/**
 * The sidecars of a listing. Of the sidecars above a document, the nearest that has `allow` says who may read
 * it, and what any of them denies is denied. One that cannot be understood closes what is in its folder and
 * below it.
 */
export class Sidecars {
  private readonly read = new Map<string, ReadSidecar>();
  private readonly problems: { key: string; message: string }[] = [];
  private readonly folderRules = new Map<string, FolderRule>();
  /** Rules are kept by their text, since a listing counts and sends an object once. */
  private readonly rules = new Map<string, FoundAccess>();

  /**
   * @param map the rules of the configuration, which apply as well
   * @param above the folders above the source whose sidecars apply too, the outermost first
   */
  constructor(
    private readonly map: AccessMap | undefined,
    private readonly above: readonly string[] = [],
  ) {}

  /**
   * Adds a sidecar, before the first call of `findAccess`.
   *
   * @param path its key; keys are compared as they are
   * @param names of all files in its folder; undefined if they are not known, as above the source
   * @throws SourceError if there are too many
   */
  add(path: string, content: SidecarContent, names?: Iterable<string>): void {
    const folder = getFolder(path);
    if (this.read.size >= MAX_SIDECARS) {
      const message = `The source has more than ${MAX_SIDECARS} files named ${SIDECAR}.`;
      throw new SourceError('too_many_documents', message);
    }
    const isTwice = this.read.has(folder);
    const sidecar = isTwice ? undefined : this.parse(path, content);
    if (isTwice) this.close(path, `The folder has another file like ${SIDECAR}.`);
    const files = [...(sidecar?.files.keys() ?? [])];
    const found = new Map(names && files.map((name) => [name, false]));
    const patterns = files.filter(isPattern);
    if (sidecar && names) {
      for (const name of names) {
        for (const one of findNames(sidecar, patterns, name)) found.set(one, true);
      }
    }
    this.read.set(folder, { path, sidecar, patterns, names: found });
  }

  /** What a run must know besides the rules of documents. */
  get report(): SidecarReport {
    for (const folder of this.read.keys()) this.findFolderRule(folder);
    return {
      sidecars: [...this.read].map(([folder, { sidecar, names }]) => ({
        folder,
        names: [...names].map(([name, isFound]) => ({
          name,
          isFound,
          isOpen: isOpen(sidecar?.files.get(name)),
        })),
      })),
      problems: this.problems,
    };
  }

  /**
   * Finds who may read a document by the map and the sidecars.
   *
   * @param others further rules of the document
   */
  findAccess(key: string, ...others: (FoundAccess | undefined)[]): { access?: FoundAccess } {
    const { access: mapped } = findAccess(this.map, key);
    const access = intersectRules([mapped, this.findOwn(key), ...others]);
    if (access === undefined) return {};
    const text = JSON.stringify(access);
    const kept = this.rules.get(text) ?? access;
    this.rules.set(text, kept);
    return { access: kept };
  }

  /** Whether a sidecar says who may read a document. */
  governs(key: string): boolean {
    return this.listFolders(getFolder(key)).some((folder) => this.read.has(folder));
  }

  private findOwn(key: string): FoundAccess | undefined {
    const folder = getFolder(key);
    const rule = this.findFolderRule(folder);
    if (rule.isClosed === true) return 'unreadable';
    const own = this.read.get(folder);
    const name = key.slice(key.lastIndexOf('/') + 1);
    let allow: string[] | undefined;
    let { deny } = rule;
    if (own?.sidecar) {
      for (const found of findNames(own.sidecar, own.patterns, name)) {
        const file = own.sidecar.files.get(found);
        if (file?.allow) allow = allow ? intersectAllowed(allow, file.allow) : file.allow;
        deny = addDenied(deny, file?.deny ?? []);
      }
    }
    allow ??= rule.allow;
    if (allow) return { allow, deny } satisfies AccessRule;
    // Without `allow` it is not known who else may read the file.
    return deny.length > 0 ? 'unreadable' : undefined;
  }

  private findFolderRule(folder: string): FolderRule {
    const known = this.folderRules.get(folder);
    if (known) return known;
    let rule: FolderRule = { deny: [] };
    for (const one of this.listFolders(folder)) {
      rule = this.folderRules.get(one) ?? this.addOwnRule(rule, one);
      this.folderRules.set(one, rule);
    }
    return rule;
  }

  private addOwnRule(outer: FolderRule, folder: string): FolderRule {
    const own = this.read.get(folder);
    if (!own || outer.isClosed === true) return outer;
    if (!own.sidecar) return { deny: [], isClosed: true };
    const { access, files } = own.sidecar;
    const allow = access?.allow ?? outer.allow;
    const rule = { ...(allow && { allow }), deny: addDenied(outer.deny, access?.deny ?? []) };
    const isUnclear =
      !allow && (rule.deny.length > 0 || [...files.values()].some((file) => !file.allow));
    if (!isUnclear) return rule;
    this.close(own.path, 'It denies, but neither it nor a file above says whom to allow.');
    return { deny: [], isClosed: true };
  }

  private parse(path: string, content: SidecarContent): Sidecar | undefined {
    try {
      if ('problem' in content) throw new InvalidSidecar(content.problem);
      if (path.slice(path.lastIndexOf('/') + 1) !== SIDECAR) {
        throw new InvalidSidecar(`It must be named ${SIDECAR}.`);
      }
      return parseSidecar(content);
    } catch (error) {
      if (!(error instanceof InvalidSidecar)) throw error;
      this.close(path, error.message);
      return undefined;
    }
  }

  private close(key: string, message: string): void {
    this.problems.push({ key, message: `${message} Nobody can read what is in its folder.` });
  }

  /** The folders that a folder is in, itself included, the outermost first. */
  private listFolders(folder: string): string[] {
    if (this.above.includes(folder)) return this.above.slice(0, this.above.indexOf(folder) + 1);
    const folders = [...this.above, ''];
    for (let end = folder.indexOf('/'); end >= 0; end = folder.indexOf('/', end + 1)) {
      folders.push(folder.slice(0, end));
    }
    if (folder !== '') folders.push(folder);
    return folders;
  }
}

/** The names of `files` that fit a file. */
function findNames({ files }: Sidecar, patterns: readonly string[], given: string): string[] {
  const name = given.normalize('NFC');
  const fitting = patterns.filter((pattern) => matchesPattern(name, pattern));
  return files.has(name) && !isPattern(name) ? [name, ...fitting] : fitting;
}

const isOpen = (rule: SidecarRule | undefined) =>
  rule?.allow?.includes('everyone') === true && rule.deny.length === 0;

export const getFolder = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/')));
