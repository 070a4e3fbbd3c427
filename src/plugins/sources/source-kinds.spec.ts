import { beforeAll, describe, expect, it } from '@jest/globals';
import { Config } from '../../platform/config/config.js';
import { Problem } from '../../platform/problems/problem.js';
import { SourceKinds } from './source-kinds.js';

const ADDRESSES = {
  website: (url: string) => ({ start_urls: ['https://docs.example.com/', url] }),
  'website’s sitemap': (url: string) => ({ start_urls: [], sitemap_url: url }),
  s3: (url: string) => ({ endpoint: url, bucket: 'documents' }),
  git: (url: string) => ({ url }),
  confluence: (url: string) => ({ base_url: url, space: 'DOCS' }),
  webdav: (url: string) => ({ url }),
  imap: (url: string) => ({
    url: url.replace(/http(?=s?:)/i, 'imap').replace(/(?<=com)\/a(?=\s*$)/, ''),
  }),
};
const CREDENTIALS: Readonly<Record<string, object>> = {
  s3: { access_key_id: 'id', secret_access_key: 'secret' },
  confluence: { token: 'token' },
  imap: { username: 'ada', password: 'secret' },
};

describe(SourceKinds, () => {
  let kinds: SourceKinds;

  beforeAll(() => {
    kinds = new SourceKinds(Config.fromEnvironment({}));
  });

  const parse = (kind: string, url: string) => {
    const [type = ''] = kind.split('’');
    const config = ADDRESSES[kind as keyof typeof ADDRESSES](url);
    return kinds.parse(type, config, CREDENTIALS[type] ?? null).config;
  };

  describe.each(Object.keys(ADDRESSES))('a %s', (kind) => {
    it.each([
      ...[
        ' http://127.0.0.1',
        '\thttp://127.0.0.1/',
        'http://127.0.0.1\n',
        '\u0001http://10.0.0.1/',
      ],
      ...['ht\ntp://127.0.0.1/', 'http:/\t/127.0.0.1/', 'http://127.0.\r\n0.1/', 'http:127.0.0.1'],
      ...['HTTP://127.0.0.1/', 'hTTp://LocalHost/', 'http://localhost./', 'http://localhost../'],
      ...['http://2130706433/', 'http://0x7f000001/', 'http://0177.1/', 'http://127.0.0.1./'],
      ...['http://[::ffff:127.0.0.1]/', 'http://[::1]/', 'http://[::ffff:a9fe:a9fe]/'],
      ...['http:\\\\10.0.0.1\\', 'http://user:pass@127.0.0.1/', 'http://example.com@127.0.0.1/'],
      ...[
        'http://１２７.０.０.１/',
        'http://169.254.169.254/latest',
        'https://docs.exam\tple.com/',
      ],
    ])('is not at %j', (url) => {
      expect(() => parse(kind, url)).toThrow(Problem);
    });

    it('is kept without the white space around its address', () => {
      const url = 'https://docs.example.com/a';
      expect(parse(kind, ` ${url}\n`)).toEqual(parse(kind, url));
    });
  });
});
