import { readAccessMap } from '../access-map.js';
import { ConfigFields } from '../config-fields.js';
import type { SourceKind } from '../source-kind.js';
import { Bucket, type S3Config } from './bucket.js';
import { OpenBucket } from './open-bucket.js';
import { readAccessTags } from './tag-set.js';
import type { S3Credentials } from './sign-request.js';

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i;

/** A bucket, or a part of one, in any store with the S3 API. */
export const s3: SourceKind<S3Config, S3Credentials> = {
  type: 's3',

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const endpoint = fields.text('endpoint');
    const region = fields.optionalText('region');
    const bucket = fields.text('bucket');
    const prefix = fields.optionalText('prefix');
    const url = URL.parse(endpoint);
    if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '') {
      fields.refuse('endpoint', 'must be an http or https address');
    }
    if (bucket !== '' && !BUCKET_NAME.test(bucket)) {
      fields.refuse('bucket', 'must be the name of a bucket');
    }
    if (region !== undefined && !/^[\w-]{1,50}$/.test(region)) {
      fields.refuse('region', 'must be the name of a region');
    }
    const access = { ...readAccessMap(fields), ...readAccessTags(fields) };
    fields.finish();
    const secrets = new ConfigFields('credentials', credentials);
    const keyId = secrets.text('access_key_id');
    const secret = secrets.text('secret_access_key');
    secrets.finish();
    return {
      config: {
        endpoint,
        ...(region !== undefined && { region }),
        bucket,
        ...(prefix !== undefined && { prefix }),
        ...access,
      },
      credentials: { access_key_id: keyId, secret_access_key: secret },
    };
  },

  async test(config, credentials, context) {
    await new Bucket(config, credentials, context).readPage(undefined, 1);
  },

  open(config, credentials, context) {
    return Promise.resolve(new OpenBucket(new Bucket(config, credentials, context), context));
  },
};
