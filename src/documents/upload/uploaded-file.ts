/** An uploaded file, which is removed when its request has been answered. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** The client's name for it. */
    readonly name: string,
    /** The media type that the client claims. */
    readonly declaredType: string,
    /** SHA-256. */
    readonly hash: string,
    readonly sizeBytes: number,
  ) {}

  /** What the fingerprint of an idempotent request covers. */
  toJSON(): object {
    return { name: this.name, hash: this.hash };
  }
}
