/** The document takes long; it must be extracted again as a long one. */
export class TakesLong extends Error {
  override name = 'TakesLong';
}
