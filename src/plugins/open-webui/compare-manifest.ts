import { findMoved } from '../sources/find-moved.js';
import {
  type ChangedEntry,
  type KnownDocument,
  storedKey,
  storedVersion,
} from '../sources/source-documents.js';
import type { ListedFile } from './manifest.js';

/** What differs between a manifest and the documents that came from the same source. */
export interface Comparison {
  readonly added: readonly ListedFile[];
  readonly changed: readonly { readonly file: ListedFile; readonly known: KnownDocument }[];
  readonly moved: readonly ChangedEntry[];
  readonly gone: readonly KnownDocument[];
  readonly unchanged: number;
  readonly total: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

export function compareManifest(
  files: readonly ListedFile[],
  documents: readonly KnownDocument[],
): Comparison {
  const known = new Map(documents.map((document) => [document.sourceKey, document]));
  const seen = new Set<string>();
  const listedAnew: ListedFile[] = [];
  const changed: { file: ListedFile; known: KnownDocument }[] = [];
  for (const file of files) {
    const key = storedKey(file.key);
    seen.add(key);
    const document = known.get(key);
    if (!document) listedAnew.push(file);
    else if (document.sourceVersion !== storedVersion(file))
      changed.push({ file, known: document });
  }
  const missing = documents.filter(({ sourceKey }) => !seen.has(sourceKey ?? ''));
  const moved = findMovedFiles(listedAnew, missing);
  const movedTo = new Set(moved.map(({ entry }) => entry.key));
  const movedFrom = new Set(moved.map(({ known }) => known));
  return {
    added: listedAnew.filter(({ key }) => !movedTo.has(key)),
    changed,
    moved,
    gone: missing.filter((document) => !movedFrom.has(document)),
    unchanged: seen.size - listedAnew.length - changed.length,
    total: documents.length,
  };
}

/**
 * Pairs files that were moved. A checksum alone is no proof, since connectors make it of what they like, such
 * as the number of a revision: it must be that of the content which is here.
 */
const findMovedFiles = (files: readonly ListedFile[], missing: readonly KnownDocument[]) =>
  findMoved(
    files
      .filter(({ version }) => SHA256.test(version))
      .map(({ key, version }) => ({ key, version, versionIsOfContent: true as const, url: '' })),
    missing.filter(({ sourceVersion, sha256 }) => sourceVersion === sha256),
  );
