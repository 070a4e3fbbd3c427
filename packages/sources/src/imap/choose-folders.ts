import type { ListResponse } from 'imapflow';
import { SourceError } from '../source-kind.js';
import { matchesWildcard } from '../website/wildcard.js';

export interface MailFolder {
  /** As the server names it. */
  readonly path: string;
  /** With slashes between the names, whatever the server puts there. */
  readonly name: string;
}

/** Folders that a pattern does not mean. In Gmail, `\All` has every message again. */
const NOT_MEANT = ['\\All', '\\Drafts', '\\Flagged', '\\Junk', '\\Trash'];
const MAX_FOLDERS = 10_000;

/**
 * Chooses the folders that a configuration names or, by `*`, describes.
 *
 * @throws SourceError for one that does not exist, since its documents would be deleted
 */
export function chooseFolders(
  listed: readonly ListResponse[],
  wanted: readonly string[],
): MailFolder[] {
  if (listed.length > MAX_FOLDERS) {
    throw new SourceError('too_many_documents', 'The mailbox has too many folders.');
  }
  const folders = listed.filter(
    ({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'),
  );
  const chosen = new Map<string, MailFolder>();
  for (const given of wanted) {
    const pattern = toName(given);
    const found = folders.filter((one) =>
      pattern.includes('*')
        ? isMeant(one) && matchesWildcard(pattern, nameOf(one))
        : nameOf(one) === pattern,
    );
    if (found.length === 0) {
      const message = `The mailbox has no folder “${pattern.slice(0, 100)}”.`;
      throw new SourceError('not_found', message);
    }
    for (const one of found) chosen.set(one.path, { path: one.path, name: nameOf(one) });
  }
  return [...chosen.values()];
}

const isMeant = ({ specialUse, flags }: ListResponse) =>
  !NOT_MEANT.some((one) => one === specialUse || flags.has(one));

const nameOf = ({ path, delimiter }: ListResponse) =>
  toName(delimiter ? path.replaceAll(delimiter, '/') : path);

/** Servers keep names in one form of Unicode, users type another; INBOX has no case. */
const toName = (path: string) => path.normalize('NFC').replace(/^inbox(?=\/|$)/i, 'INBOX');
