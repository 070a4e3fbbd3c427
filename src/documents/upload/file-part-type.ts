/** Fields may come before the file, and each has 64 KiB at most. */
const MAX_BYTES = 2 * 1024 * 1024;
const END_OF_HEADERS = '\r\n\r\n';

/**
 * Reads the media type of the part `file` with its parameters, which the multipart parser drops, from
 * the bytes before the file's content.
 */
export class FilePartType {
  value = '';
  private readonly delimiter: string;
  private head = '';
  private isDone: boolean;

  /** @param contentType the content type of the whole body */
  constructor(contentType: string) {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
    this.delimiter = `--${quoted ?? plain ?? ''}\r\n`;
    this.isDone = quoted === undefined && plain === undefined;
  }

  add(bytes: Buffer): void {
    if (this.isDone) return;
    this.head += bytes.toString('latin1');
    for (let at = this.head.indexOf(this.delimiter); at !== -1;) {
      const start = at + this.delimiter.length;
      const end = this.head.indexOf(END_OF_HEADERS, start);
      if (end === -1) break;
      if (this.readHeaders(this.head.slice(start, end))) return;
      at = this.head.indexOf(this.delimiter, end);
      // Bytes before the next part are not searched again.
      this.head = this.head.slice(at === -1 ? Math.max(0, end - this.delimiter.length) : at);
      at = at === -1 ? -1 : 0;
    }
    if (this.head.length > MAX_BYTES) this.end();
  }

  /** @returns whether they belong to the file */
  private readHeaders(headers: string): boolean {
    const lines = headers.split('\r\n');
    const isFile = lines.some(
      (line) => /^content-disposition:/i.test(line) && /[;\s]name="?file"?\s*(?:;|$)/i.test(line),
    );
    if (!isFile) return false;
    const type = lines.find((line) => /^content-type:/i.test(line)) ?? '';
    this.value = type.slice(type.indexOf(':') + 1).trim();
    this.end();
    return true;
  }

  private end(): void {
    this.isDone = true;
    this.head = '';
  }
}
