import { posix } from 'node:path';
import type { Archive } from './archive.js';
import { readXml } from './xml.js';

/** A reference from one part of an Office document to another. */
export interface Relationship {
  readonly id: string;
  /** The last segment of the type, such as `slide` or `notesSlide`. */
  readonly type: string;
  /** The name of a part of the archive. */
  readonly target: string;
}

/** The relationships of a part within the archive; those to other places are left out. */
export async function readRelationships(archive: Archive, part: string): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const found: Relationship[] = [];
  if (!archive.has(name)) return found;
  await readXml(archive.read(name), {
    open(element, { Id, Type = '', Target, TargetMode }) {
      if (element !== 'Relationship' || Id === undefined || Target === undefined) return;
      if (TargetMode === 'External') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return found;
}

/** Creates a function that loads the pictures a part refers to. */
export function createPartLoader(archive: Archive, relationships: readonly Relationship[]) {
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  return (id: string): Promise<Uint8Array | undefined> => {
    const target = targets.get(id);
    return target === undefined ? Promise.resolve(undefined) : archive.readFile(target);
  };
}

/** The part in which an Office document begins, such as `word/document.xml`. */
export async function findMainPart(archive: Archive, usual: string): Promise<string> {
  const relationships = await readRelationships(archive, '');
  return relationships.find(({ type }) => type === 'officeDocument')?.target ?? usual;
}
