import { SaxesParser } from 'saxes';
import { type FoundAccess, readAccess } from '../access-rule.js';
import { ConfigFields } from '../config-fields.js';
import { InvalidSource } from '../source-kind.js';

/** The names of the tags that say who may read an object. */
export interface AccessTags {
  readonly allow: string;
  readonly deny?: string;
}

/** Of an object, at most ten tags are stored. */
const MAX_TAGS = 50;
const MAX_ELEMENTS = 500;
const MAX_DEPTH = 10;
const TAG_NAME = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u;

/** Reads the field `access_tags` of a configuration. */
export function readAccessTags(fields: ConfigFields): { access_tags?: AccessTags } {
  const given = fields.optionalObject('access_tags');
  if (given === undefined) return {};
  const names = new ConfigFields('access_tags', given);
  const allow = names.text('allow');
  const deny = names.optionalText('deny');
  const areNames = [allow, deny ?? allow].every((name) => TAG_NAME.test(name));
  if (!isWellFormed(names) || !areNames || allow === deny) {
    fields.refuse(
      'access_tags',
      'must be {"allow": "<name of a tag>", "deny"?: "<name of another>"}',
    );
    return {};
  }
  return { access_tags: { allow, ...(deny !== undefined && { deny }) } };
}

function isWellFormed(fields: ConfigFields): boolean {
  try {
    fields.finish();
    return true;
  } catch (error) {
    if (error instanceof InvalidSource) return false;
    throw error;
  }
}

/**
 * Finds who may read an object by its tags. Their values are names with spaces between them. An object without
 * the tag that allows is read by nobody, since tags may be set after the object was stored.
 */
export function findTaggedAccess(
  tags: ReadonlyMap<string, string>,
  names: AccessTags,
): FoundAccess {
  const read = (name: string | undefined) =>
    (name === undefined ? '' : (tags.get(name) ?? '')).split(/\s+/u).filter((one) => one !== '');
  return readAccess({ allow: read(names.allow), deny: read(names.deny) });
}

/** Reads the answer of GetObjectTagging. @throws Error if it is no list of tags */
export function readTagSet(xml: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  const path: string[] = [];
  let [elements, text, key] = [0, '', ''];
  const seen = new Set<string>();
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (++elements > MAX_ELEMENTS || path.length >= MAX_DEPTH) throw new Error('It is too large');
    path.push(name);
    seen.add(path.join('/'));
    text = '';
  });
  parser.on('text', (part) => (text += part));
  parser.on('closetag', () => {
    const at = path.join('/');
    if (at === 'Tagging/TagSet/Tag/Key') key = text;
    if (at === 'Tagging/TagSet/Tag/Value') tags.set(key, text);
    path.pop();
  });
  parser.write(xml).close();
  if (!seen.has('Tagging/TagSet') || tags.size > MAX_TAGS) throw new Error('It is no list of tags');
  return tags;
}
