/** The document takes long; it must be read again in a place meant for such documents. */
export class TakesLong extends Error {
  override name = 'TakesLong';
}
