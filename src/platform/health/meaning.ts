/** The status of the embedding model; set by SearchModule. */
export const meaning = {
  describe: (): string => 'off',
  /** The progress of a model's installation; undefined if none is running. */
  installing: (): string | undefined => undefined,
  /** The model name stored with the vectors in use; undefined while there are none. */
  model: (): string | undefined => undefined,
};
