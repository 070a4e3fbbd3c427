import { diffWordsWithSpace } from 'diff';

export interface WordPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A browser that compares for longer stops answering. */
const TIMEOUT_MS = 200;

/** Marks the words of two texts that only one of them has; all of them, if that takes too long. */
export function diffWords(
  before: string,
  after: string,
): { readonly before: readonly WordPart[]; readonly after: readonly WordPart[] } {
  const found = diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS });
  const parts: readonly WordPart[] = found?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  })) ?? [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return {
    before: parts.filter(({ kind }) => kind !== 'added'),
    after: parts.filter(({ kind }) => kind !== 'removed'),
  };
}
