/** An uploaded file, which is removed when the request ends. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** The client's own. */
    readonly name: string,
    /** The media type that the client sent. */
    readonly declaredType: string,
    /** SHA-256. */
    readonly hash: string,
    readonly sizeBytes: number,
  ) {}

  /** For the fingerprint of an idempotent request. */
  toJSON(): object {
    return { name: this.name, hash: this.hash };
  }
}
