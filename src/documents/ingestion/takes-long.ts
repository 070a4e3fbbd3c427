/** The document takes long; it must be extracted again in the lane for long documents. */
export class TakesLong extends Error {
  override name = 'TakesLong';
}
