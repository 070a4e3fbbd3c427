/** Whose vectors search compares; the room that has them sets it. */
export const meaning = {
  describe: (): string => 'off',
  /** How far the installation of a model is; undefined while none is installed. */
  installing: (): string | undefined => undefined,
  /** What is stored with the vectors in use; undefined while there are none. */
  model: (): string | undefined => undefined,
};
