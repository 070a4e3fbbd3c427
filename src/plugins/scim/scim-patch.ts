import { isDeepStrictEqual } from 'node:util';
import { type AttributeForm, KEYS_SCHEMA, type ResourceSchema } from './scim-attributes.js';
import { invalidPath, noTarget } from './scim-error.js';
import { invalid, isObject, memberIds, type Resource, withUsualNames } from './scim-fields.js';
import { type EntryCondition, parsePath, type ScimPath } from './scim-path.js';

const MAX_OPERATIONS = 1000;
/** The maximum length of a list, so that comparing its entries stays fast. */
const MAX_ENTRIES = 100;

type Kind = 'add' | 'replace' | 'remove';

/** A change of `members`. Changes are applied one by one, so that adding a member does not read the group. */
export interface MembersChange {
  readonly kind: Kind;
  readonly ids: readonly string[] | 'all';
  /** The id of the member to replace; undefined replaces all. */
  readonly replaced?: string;
}

interface Patched {
  readonly resource: Resource;
  readonly members: MembersChange[];
}

interface Operation {
  readonly kind: Kind;
  readonly value: unknown;
}

/**
 * Applies a PATCH of RFC 7644, as Okta and Entra send it: operations in any case, without a path, and with
 * dotted names. Each operation is applied as a whole or refused.
 *
 * @param before includes the `id`, which a request may repeat
 * @throws Problem `validation_failed`
 */
export function applyPatch(
  schema: ResourceSchema,
  before: Resource,
  { Operations: operations }: Resource,
): Patched {
  if (!Array.isArray(operations) || operations.length > MAX_OPERATIONS) {
    throw invalid(`Operations must be a list of at most ${MAX_OPERATIONS} operations.`);
  }
  const patched: Patched = { resource: { ...before }, members: [] };
  for (const operation of operations as unknown[]) {
    const { path, ...change } = readOperation(operation);
    if (path === undefined) changeEach(patched, schema, change);
    else changeAt(patched, schema, parsePath(path, schema.id), change);
  }
  return patched;
}

function readOperation(operation: unknown): Operation & { readonly path: string | undefined } {
  const { op, path, value } = isObject(operation) ? withUsualNames(operation) : {};
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove') {
    throw invalid('op must be add, replace or remove.');
  }
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw invalidPath('path must be a string.');
  }
  if (kind !== 'remove' && value === undefined) throw invalid(`${kind} needs a value.`);
  return { kind, path: path ?? undefined, value };
}

/** Applies an operation without an attribute in its path. Its value is an object of attributes. */
function changeEach(patched: Patched, schema: ResourceSchema, { kind, value }: Operation): void {
  if (kind === 'remove') throw noTarget('remove needs the path of an attribute.');
  if (!isObject(value)) {
    throw invalid('value must be an object of attributes if there is no path.');
  }
  for (const [path, entry] of Object.entries(withUsualNames(value))) {
    changeAt(patched, schema, parsePath(path, schema.id), { kind, value: entry });
  }
}

function changeAt(
  patched: Patched,
  schema: ResourceSchema,
  path: ScimPath,
  change: Operation,
): void {
  const { resource } = patched;
  if (path.extension !== undefined) {
    changeExtension(resource, schema, path, change);
    return;
  }
  const { name } = path;
  if (name === undefined) {
    changeEach(patched, schema, change);
    return;
  }
  const form = schema.attributes.get(name);
  if (form === undefined)
    throw invalidPath('path names an attribute that this service does not have.');
  if (form === 'members') patched.members.push(membersChange(path, change));
  else CHANGES[form](resource, { ...path, name }, change);
}

type NamedPath = ScimPath & { readonly name: string };
type Change = (resource: Resource, path: NamedPath, change: Operation) => void;

const CHANGES: Record<Exclude<AttributeForm, 'members'>, Change> = {
  own: (resource, path, { kind, value }) => {
    requirePlain(path);
    const isRepeated = path.name === 'schemas' ? Array.isArray(value) : value === resource['id'];
    if (kind === 'remove' || !isRepeated)
      throw invalidPath('path names an attribute that cannot be changed.');
  },
  secret: (_, path, { kind, value }) => {
    requirePlain(path);
    if (kind !== 'remove' && typeof value !== 'string') throw invalid('value must be a string.');
  },
  value: (resource, path, { kind, value }) => {
    requirePlain(path);
    if (kind !== 'remove') resource[path.name] = value;
    // A user whose `active` is removed has left.
    else resource[path.name] = path.name === 'active' ? false : null;
  },
  text: (resource, path, { kind, value }) => {
    requirePlain(path);
    if (kind === 'remove' || value === null) resource[path.name] = null;
    else if (typeof value === 'string') resource[path.name] = value;
    else throw invalid('value must be a string.');
  },
  object: (resource, { name, conditions, part }, { kind, value }) => {
    if (conditions) throw invalidPath('path has a filter, but the attribute is not a list.');
    const before = resource[name];
    const own = isObject(before) ? before : {};
    if (part !== undefined) resource[name] = withPart(own, part, kind === 'remove' ? null : value);
    else if (kind === 'remove' || value === null) resource[name] = null;
    else if (isObject(value)) resource[name] = mergeParts(own, value);
    else throw invalid('value must be an object.');
  },
  list: (resource, { name, conditions, part }, change) => {
    const before: unknown = resource[name];
    const entries: readonly unknown[] = Array.isArray(before) ? before : [];
    if (!conditions && part !== undefined) {
      throw invalidPath('path names a sub-attribute of a list without a filter.');
    }
    const next = conditions
      ? changeEntries(entries, conditions, part, change)
      : changeList(entries, change);
    if (next.length > MAX_ENTRIES) throw invalid(`A list has at most ${MAX_ENTRIES} entries.`);
    resource[name] = next;
  },
};

function requirePlain({ conditions, part }: ScimPath): void {
  if (conditions ?? part)
    throw invalidPath('path names a sub-attribute of an attribute without any.');
}

/** Attributes of other schemas are stored as they are sent. */
function changeExtension(
  resource: Resource,
  schema: ResourceSchema,
  { extension = '', name, conditions, part }: ScimPath,
  { kind, value }: Operation,
): void {
  const isOthers = /^urn:ietf:params:scim:schemas:core:/i.test(extension);
  const isOwn = extension.toLowerCase() === KEYS_SCHEMA.toLowerCase();
  if (!schema.isExtensible || isOthers || isOwn || conditions) {
    throw invalidPath('path names a schema that this service cannot change.');
  }
  const key = ownName(resource, extension);
  const before = resource[key];
  const own = isObject(before) ? before : {};
  const next = kind === 'remove' ? null : value;
  if (name === undefined) {
    if (next !== null && !isObject(next)) throw invalid('value must be an object of attributes.');
    resource[key] = next === null ? null : mergeParts(own, next);
  } else if (part === undefined) resource[key] = withPart(own, name, next);
  else {
    const inner = own[ownName(own, name)];
    resource[key] = withPart(own, name, withPart(isObject(inner) ? inner : {}, part, next));
  }
}

/** Finds the spelling of a name in an object; names are case-insensitive. */
const ownName = (object: Resource, name: string): string =>
  Object.keys(object).find((own) => own.toLowerCase() === name.toLowerCase()) ?? name;

/** @param value null removes the part */
function withPart(object: Resource, part: string, value: unknown): Resource {
  const name = ownName(object, part);
  const entries = Object.entries(object).filter(([other]) => other !== name);
  return Object.fromEntries(value === null ? entries : [...entries, [name, value]]);
}

const mergeParts = (object: Resource, parts: Resource): Resource =>
  Object.entries(withUsualNames(parts)).reduce(
    (whole, [part, value]) => withPart(whole, part, value),
    object,
  );

function toEntries(value: unknown): unknown[] {
  const entries: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
  if (!entries.every((entry) => isObject(entry) || typeof entry === 'string')) {
    throw invalid('value must be a list of objects.');
  }
  if (entries.length > MAX_ENTRIES) throw invalid(`A list has at most ${MAX_ENTRIES} entries.`);
  return entries.map((entry) => (isObject(entry) ? withUsualNames(entry) : entry));
}

function changeList(before: readonly unknown[], { kind, value }: Operation): unknown[] {
  if (kind === 'remove' && (value === undefined || value === null)) return [];
  const named = toEntries(value);
  if (kind === 'replace') return named;
  if (kind === 'remove') {
    const isNamed = (entry: unknown) =>
      named.some((one) => isDeepStrictEqual(one, entry) || haveSameValue(one, entry));
    return before.filter((entry) => !isNamed(entry));
  }
  const isNew = (entry: unknown) => !before.some((one) => isDeepStrictEqual(one, entry));
  return [...before, ...named.filter(isNew)];
}

const haveSameValue = (one: unknown, other: unknown): boolean =>
  isObject(one) && isObject(other) && one['value'] !== undefined && one['value'] === other['value'];

function changeEntries(
  before: readonly unknown[],
  conditions: readonly EntryCondition[],
  part: string | undefined,
  { kind, value }: Operation,
): unknown[] {
  const isMeant = (entry: unknown): entry is Resource =>
    isObject(entry) && conditions.every((condition) => holds(entry, condition));
  if (kind === 'remove') {
    if (part === undefined) return before.filter((entry) => !isMeant(entry));
    return before.map((entry) => (isMeant(entry) ? withPart(entry, part, null) : entry));
  }
  if (part === undefined && !isObject(value)) throw invalid('value must be an object.');
  const change = (entry: Resource) =>
    part === undefined ? mergeParts(entry, value as Resource) : withPart(entry, part, value);
  if (before.some(isMeant)) return before.map((entry) => (isMeant(entry) ? change(entry) : entry));
  // Entra creates an entry this way.
  const entry = Object.fromEntries(
    conditions.map((condition) => [condition.name, condition.value]),
  );
  return [...before, change(entry)];
}

/** Strings are compared case-insensitively, and Entra writes booleans as strings. */
function holds(entry: Resource, { name, value }: EntryCondition): boolean {
  const own = entry[ownName(entry, name)];
  const isPlain = typeof own === 'string' || typeof own === 'number' || typeof own === 'boolean';
  return isPlain && String(own).toLowerCase() === String(value).toLowerCase();
}

function membersChange({ conditions, part }: ScimPath, { kind, value }: Operation): MembersChange {
  if (part !== undefined) throw invalidPath('path names a sub-attribute of members.');
  if (conditions) {
    const [condition, ...others] = conditions;
    if (condition?.name !== 'value' || others.length > 0) {
      throw invalidPath('A filter on members must be value, eq and an id.');
    }
    const named = memberIds({ value: condition.value });
    if (kind !== 'replace') return { kind, ids: named };
    const ids = memberIds(value);
    if (ids.length === 0) throw invalid('value must be the member that replaces the filtered one.');
    return { kind, ids, replaced: String(condition.value) };
  }
  if (kind === 'remove' && (value === undefined || value === null)) return { kind, ids: 'all' };
  return { kind, ids: memberIds(value) };
}
