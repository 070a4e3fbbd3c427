import {
  invalid,
  isKnown,
  isObject,
  memberIds,
  type Resource,
  usualName,
  withUsualNames,
} from './scim-fields.js';

const MAX_OPERATIONS = 1000;
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const MEMBER = /^members\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i;
/** Such as `emails[type eq "work"].value`. */
const TYPED = /^(\w{1,64})\[\s*type\s+eq\s+"([^"]{1,64})"\s*\]\.(\w{1,64})$/i;
/** Such as `roles[primary eq "True"].value`. */
const LIST = /^(\w{1,64})\[[^\]]*\](?:\.\w{1,64})?$/;
const OTHER_URN = /^urn:[\w:.-]+$/i;
const PLAIN = /^(\w{1,64})(?:\.(\w{1,64}))?$/;

type Kind = 'add' | 'replace' | 'remove';

/** Changes of `members`, one after the other, so that a group is not read whole to add one. */
export interface MembersChange {
  readonly kind: Kind;
  readonly ids: readonly string[] | 'all';
  /** The one that is replaced; undefined for all. */
  readonly replaced?: string;
}

interface Patched {
  readonly resource: Resource;
  readonly members: readonly MembersChange[];
}

/**
 * A PATCH as RFC 7644 has it, and as Okta and Entra send it: operations in any case, without a path, and
 * with dotted names.
 *
 * @throws Problem `validation_failed`
 */
export function applyPatch(before: Resource, { Operations: operations }: Resource): Patched {
  if (!Array.isArray(operations) || operations.length > MAX_OPERATIONS) {
    throw invalid(`Operations must be a list of at most ${MAX_OPERATIONS} operations.`);
  }
  const resource: Resource = { ...before };
  const members: MembersChange[] = [];
  for (const operation of operations as unknown[]) {
    const { kind, path, value } = read(operation);
    const entries =
      path === undefined ? Object.entries(isObject(value) ? value : {}) : [[path, value]];
    for (const [name, entry] of entries as [string, unknown][]) {
      const change = membersChange(kind, name.replace(URN, ''), entry);
      if (change) members.push(change);
      else setAt(resource, name.replace(URN, ''), kind === 'remove' ? undefined : entry);
    }
  }
  return { resource, members };
}

function read(operation: unknown): { kind: Kind; path: string | undefined; value: unknown } {
  const { op, path, value } = isObject(operation) ? withUsualNames(operation) : {};
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') {
    throw invalid('op must be add, replace or remove.');
  }
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw invalid('path must be a text.');
  }
  return { kind, path: path ?? undefined, value };
}

function membersChange(kind: Kind, path: string, value: unknown): MembersChange | undefined {
  const [, id] = MEMBER.exec(path) ?? [];
  if (id !== undefined) {
    const named = memberIds({ value: id });
    if (kind !== 'replace') return { kind, ids: named };
    const ids = memberIds(value);
    if (ids.length === 0) throw invalid('value must be the member that takes the place.');
    return { kind, ids, replaced: id };
  }
  if (path.toLowerCase() !== 'members') return undefined;
  if (kind === 'remove' && (value === undefined || value === null)) return { kind, ids: 'all' };
  return { kind, ids: memberIds(value) };
}

function setAt(resource: Resource, path: string, value: unknown): void {
  const [, given, type, field] = TYPED.exec(path) ?? [];
  if (given !== undefined && type !== undefined && field !== undefined) {
    const list = usualName(given);
    const entries: unknown[] = Array.isArray(resource[list]) ? resource[list] : [];
    const isTyped = (entry: unknown) => isObject(entry) && entry['type'] === type;
    const entry = entries.find(isTyped);
    const rest = entries.filter((other) => !isTyped(other));
    resource[list] = [...rest, { type, ...(isObject(entry) && entry), [field]: value }];
    return;
  }
  const [, plain, part] = PLAIN.exec(path) ?? [];
  if (plain === undefined && isOfNoUse(path)) return;
  if (plain === undefined || plain.startsWith('__'))
    throw invalid('path names no attribute that this service has.');
  const name = usualName(plain);
  if (part === undefined) resource[name] = value;
  else resource[name] = { ...(isObject(resource[name]) && resource[name]), [part]: value };
}

/** Of another schema, or an attribute that is not kept either when a resource is created with it. */
const isOfNoUse = (path: string): boolean => {
  const [, list] = LIST.exec(path) ?? [];
  return OTHER_URN.test(path) || (list !== undefined && !isKnown(list));
};
