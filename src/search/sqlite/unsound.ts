/** There is no index, or none that could be used: it is to be made anew first. */
export class Unsound extends Error {
  static readonly code = 'INDEX_UNSOUND';
  readonly code = Unsound.code;
}
