/** A document that takes too long for the place that it has; it is to wait for another one. */
export class TakesLong extends Error {
  override name = 'TakesLong';
}
