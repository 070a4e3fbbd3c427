/** Whose vectors search compares; the room that has them sets it. */
export const meaning = {
  describe: (): string => 'off',
  /** What is stored with the vectors in use; undefined while there are none. */
  model: (): string | undefined => undefined,
};
