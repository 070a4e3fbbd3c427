/** A file that came in, as long as its request lasts. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** As the client calls it. */
    readonly name: string,
    /** What the client says that it is. */
    readonly declaredType: string,
    /** SHA-256. */
    readonly hash: string,
    readonly sizeBytes: number,
  ) {}

  /** What makes another request the same request. */
  toJSON(): object {
    return { name: this.name, hash: this.hash };
  }
}
