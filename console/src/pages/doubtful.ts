/** Below this, an answer is shown with a warning. */
const SURE = 0.6;

/** Whether an answer is given, though it may not be what was asked. */
export const isDoubtful = (answer: {
  readonly answered: boolean | null;
  readonly confidence?: number | undefined;
}): boolean =>
  answer.answered === true && answer.confidence !== undefined && answer.confidence < SURE;
