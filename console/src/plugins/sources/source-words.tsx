import type { ConnectedSource, SourceRun } from '../../api.js';
import { Badge, number, plural } from '../../components/basics.js';

const STATES: Record<ConnectedSource['state'], readonly [kind: string, words: string]> = {
  active: ['ready', 'active'],
  paused: ['', 'paused'],
  failing: ['failed', 'failing'],
  needs_confirmation: ['pending', 'needs confirmation'],
};

const STATUSES: Record<SourceRun['status'], readonly [kind: string, words: string]> = {
  running: ['running', 'running'],
  complete: ['ready', 'complete'],
  failed: ['failed', 'failed'],
  cancelled: ['', 'cancelled'],
  needs_confirmation: ['pending', 'needs confirmation'],
};

export function SourceState({ state }: { state: ConnectedSource['state'] }) {
  const [kind, words] = STATES[state];
  return <Badge kind={kind}>{words}</Badge>;
}

export function RunStatus({ status }: { status: SourceRun['status'] }) {
  const [kind, words] = STATUSES[status];
  return <Badge kind={kind}>{words}</Badge>;
}

/** The result of a run that has ended, or of a preview, in words. */
export function runWords(
  { preview, status, counts, errors }: SourceRun,
  isRunOutside = false,
): string {
  const { added, changed, deleted, unchanged, failed } = counts;
  if (status === 'failed') return `Failed: ${errors.at(-1)?.message ?? 'for an unknown reason.'}`;
  if (status === 'cancelled') return 'Cancelled. What it had loaded stays.';
  const parts = [
    `${number(added)} new`,
    `${number(changed)} changed`,
    `${number(deleted)} to delete`,
    `${number(unchanged)} unchanged`,
  ];
  if (preview) return `A run would find: ${parts.join(', ')}${failedWords(failed)}.`;
  const { deletes, holds } = readConfirmation(errors);
  if (status === 'needs_confirmation' && (deletes || !holds)) {
    return `Nothing was ${isRunOutside ? 'deleted' : 'changed'}, since ${plural(deleted, 'document')} would have been deleted.`;
  }
  const done = `${number(added)} added, ${number(changed)} changed, ${number(deleted)} deleted`;
  const held = holds ? ' Documents are held back.' : '';
  return `${done}, ${number(unchanged)} unchanged${failedWords(failed)}.${held}`;
}

/** Reads what a run needs confirmation for. */
export function readConfirmation(errors: SourceRun['errors']) {
  return {
    deletes: errors.some(({ code }) => code === 'deletions_unconfirmed'),
    holds: errors.find(({ code }) => code === 'held_back'),
    /** Rules, of the access map and of files beside the documents, that match no document. */
    unmatched: errors.filter(({ code }) => code === 'access_path_unmatched'),
  };
}

const failedWords = (failed: number) => (failed === 0 ? '' : `, ${number(failed)} failed`);
