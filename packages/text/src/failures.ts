/** What may fail at a text without failing the document or the question that it is of. */
type FailureKind = 'stemmer' | 'segmenter' | 'detector' | 'reader' | 'indexing';

/** How often something failed, and was worked around. */
export interface FailureCount {
  readonly kind: FailureKind;
  /** BCP 47; empty where it does not matter. */
  readonly language: string;
  readonly count: number;
}

/** Those of this thread that were not taken yet; in the main thread those of the whole process. */
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
export const allFailures = (): readonly FailureCount[] => [...counts.values()];

/** Those of a thread or child process since they were last taken, for its parent to add to its own. */
export function takeFailures(): readonly FailureCount[] {
  const taken = allFailures();
  counts.clear();
  return taken;
}

/**
 * A function of a library that must fail no document and no question: what it throws is counted, and
 * `otherwise` gives the result.
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
