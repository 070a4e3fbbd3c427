import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Amazon's own library, with which the server verifies signatures. */
export const signer = (region: string, credentials: Credentials): SignatureV4 =>
  new SignatureV4({
    ...{ credentials, region, service: 's3', sha256: Sha256 },
    uriEscapePath: false,
    applyChecksum: false,
  });

/** Implements the hash interface of the library. */
class Sha256 {
  private readonly hash: { update(bytes: Uint8Array): unknown; digest(): Buffer };

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(toBytes(chunk));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.hash.digest()));
  }

  reset(): void {
    throw new Error('Not used');
  }
}

function toBytes(value: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  return value instanceof ArrayBuffer
    ? new Uint8Array(value)
    : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}
