import { load } from 'js-yaml';
import { arePrincipals, MAX_PRINCIPALS } from '../access-rule.js';

/** The file in a folder that says who may read what is in the folder and below it. */
export const SIDECAR = '.latchkey.yml';
export const MAX_SIDECAR_BYTES = 64 * 1024;
const MAX_FILES = 500;
/** Every file of the folder is compared with every pattern. */
const MAX_PATTERNS = 20;
const MAX_DEPTH = 10;

/** A rule of a sidecar. Without `allow`, the rule of the folder above says who may read. */
export interface SidecarRule {
  readonly allow?: string[];
  readonly deny: string[];
}

export interface Sidecar {
  readonly access?: SidecarRule;
  /** Rules of files in the folder, by their names or patterns. */
  readonly files: ReadonlyMap<string, SidecarRule>;
}

/** A sidecar that cannot be understood. The message is for users. */
export class InvalidSidecar extends Error {
  override name = 'InvalidSidecar';
}

/** Whether a name is that of a sidecar, or was probably meant to be. */
export const isSidecarName = (name: string): boolean => /^\.latchkey\.ya?ml$/i.test(name);

/** Whether a name of `files` stands for several files. */
export const isPattern = (name: string): boolean => /[*?]/.test(name);

/** @throws InvalidSidecar */
export function parseSidecar(content: Uint8Array): Sidecar {
  if (content.byteLength > MAX_SIDECAR_BYTES) {
    throw new InvalidSidecar(`It is larger than ${MAX_SIDECAR_BYTES / 1024} KiB.`);
  }
  const { access, files, ...others } = toObject(readYaml(content), 'It');
  requireNoMore(others, 'It');
  const entries = files === undefined ? [] : Object.entries(toObject(files, '“files”'));
  if (access === undefined && entries.length === 0) {
    throw new InvalidSidecar('It has neither “access” nor “files”.');
  }
  if (
    entries.length > MAX_FILES ||
    entries.filter(([name]) => isPattern(name)).length > MAX_PATTERNS
  ) {
    throw new InvalidSidecar(
      `“files” has more than ${MAX_FILES} names, or more than ${MAX_PATTERNS} with * or ?.`,
    );
  }
  const rules = entries.map(([name, value]): [string, SidecarRule] => {
    if (name === '' || name.includes('/')) {
      throw new InvalidSidecar('“files” must have names of files in its folder, without “/”.');
    }
    const { access: own, ...more } = toObject(value, 'A file of “files”');
    requireNoMore(more, 'A file of “files”');
    return [name.normalize('NFC'), toRule(own)];
  });
  const byName = new Map(rules);
  if (byName.size < rules.length) throw new InvalidSidecar('“files” has a name twice.');
  return { ...(access !== undefined && { access: toRule(access) }), files: byName };
}

/** Anchors and aliases are refused, since a few of them can stand for billions of values. */
function readYaml(content: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    return load(text, { maxAliases: 0, maxDepth: MAX_DEPTH });
  } catch (error) {
    throw new InvalidSidecar('It is not valid YAML without aliases.', { cause: error });
  }
}

function toObject(value: unknown, subject: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new InvalidSidecar(`${subject} must have names with values.`);
}

function requireNoMore(others: object, subject: string): void {
  if (Object.keys(others).length > 0) throw new InvalidSidecar(`${subject} has an unknown key.`);
}

function toRule(value: unknown): SidecarRule {
  const { allow, deny = [], ...others } = toObject(value, '“access”');
  requireNoMore(others, '“access”');
  if ((allow !== undefined && !arePrincipals(allow)) || !arePrincipals(deny)) {
    throw new InvalidSidecar(
      `“allow” and “deny” must be lists of at most ${MAX_PRINCIPALS} of everyone, user:<id> and group:<name>.`,
    );
  }
  if (allow === undefined && deny.length === 0) {
    throw new InvalidSidecar('“access” has neither “allow” nor “deny”.');
  }
  return { ...(allow && { allow }), deny };
}
