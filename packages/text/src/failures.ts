/** Steps that may fail for a text without failing its document or question. */
type FailureKind = 'stemmer' | 'segmenter' | 'detector' | 'reader' | 'indexing';

/** How often a step failed and its fallback was used. */
export interface FailureCount {
  readonly kind: FailureKind;
  /** BCP 47; empty for steps that do not depend on the language. */
  readonly language: string;
  readonly count: number;
}

/** The failures of this thread that its parent has not taken yet; in the main thread, of the whole process. */
const counts = new Map<string, FailureCount>();

export function addFailures(failures: readonly FailureCount[]): void {
  for (const { kind, language, count } of failures) {
    const key = `${kind} ${language}`;
    counts.set(key, { kind, language, count: count + (counts.get(key)?.count ?? 0) });
  }
}

export const countFailure = (kind: FailureKind, language = ''): void => {
  addFailures([{ kind, language, count: 1 }]);
};

/** All failures since the start. */
export const listFailures = (): readonly FailureCount[] => [...counts.values()];

/** Returns and resets the failures of a thread or child process, whose parent adds them to its own. */
export function takeFailures(): readonly FailureCount[] {
  const taken = listFailures();
  counts.clear();
  return taken;
}

/**
 * Wraps a library function so that it fails no document and no question: an error is counted, and `otherwise`
 * returns the result.
 */
export const tolerant =
  <Input, Result>(
    kind: FailureKind,
    work: (input: Input) => Result,
    otherwise: (input: Input) => Result,
    language = '',
  ) =>
  (input: Input): Result => {
    try {
      return work(input);
    } catch {
      countFailure(kind, language);
      return otherwise(input);
    }
  };
