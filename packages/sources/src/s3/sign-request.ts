import { createHash, createHmac } from 'node:crypto';

export interface S3Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
}

const EMPTY_BODY = createHash('sha256').digest('hex');

const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Percent-encodes as Amazon's signatures require: all but letters, digits and `-._~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Signs a request without a body by AWS Signature Version 4, and returns its headers.
 *
 * The presigned URLs of `s3-lite-client` are not used, because it cannot sign listings, and signs keys
 * with a question mark wrongly.
 *
 * @param url the path and query must be encoded by `encode`, and the parameters sorted
 */
export function signRequest(
  method: string,
  url: string,
  { access_key_id: id, secret_access_key: secret }: S3Credentials,
  region: string,
  date = new Date(),
): Record<string, string> {
  const { host, pathname, search } = new URL(url);
  const time = date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers = { host, 'x-amz-content-sha256': EMPTY_BODY, 'x-amz-date': time };
  const names = Object.keys(headers).join(';');
  const request = [
    method,
    pathname,
    search.slice(1),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    EMPTY_BODY,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(request).digest('hex');
  const parts = [day, region, 's3', 'aws4_request'];
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash].join('\n')).toString('hex');
  return {
    'x-amz-content-sha256': EMPTY_BODY,
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
