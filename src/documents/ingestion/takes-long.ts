/** The document takes long and must be extracted again in `long` mode. */
export class TakesLong extends Error {
  override name = 'TakesLong';
}
