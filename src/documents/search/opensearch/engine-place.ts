/** Where in a cluster a knowledge base is: among others, or in an index of its own. */
export type EnginePlace = 'shared' | 'own';

/**
 * What the row of IN_ENGINE has in place of a number of postings. While a knowledge base moves, questions
 * go to the place that has all of it, and writes to both.
 */
const MARKS = [
  { read: 'shared', isMoving: false },
  { read: 'shared', isMoving: true },
  { read: 'own', isMoving: false },
  { read: 'own', isMoving: true },
] as const;

/** @param mark undefined where the database has the postings; the engine still gets what is written */
const stateOf = (mark: number | undefined) => MARKS[mark ?? 0] ?? MARKS[0];

export const readPlace = (mark: number | undefined): EnginePlace => stateOf(mark).read;

export function writePlaces(mark: number | undefined): readonly EnginePlace[] {
  const { read, isMoving } = stateOf(mark);
  return isMoving ? ['shared', 'own'] : [read];
}

/**
 * The mark of a knowledge base that shall be in a place.
 *
 * @param isCopied whether all of it was copied there since it was marked as moving there
 */
export function markTowards(mark: number, to: EnginePlace, isCopied: boolean): number {
  const { read, isMoving } = stateOf(mark);
  const isThere = read === to || (isCopied && isMoving);
  const next = { read: isThere ? to : read, isMoving: !isThere };
  return MARKS.findIndex((one) => one.read === next.read && one.isMoving === next.isMoving);
}
