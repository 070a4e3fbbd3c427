import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, findUrlProblem } from './receiver-address.js';

describe(isPublicAddress, () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450:4001::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1'],
    ...['172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200'],
    ...['192.0.0.192', '198.18.0.1', '192.0.2.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['168.63.129.16', '::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1'],
    ...['::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1'],
    ...['64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '2002:7f00:1::', '2001:0:7f00:1::', 'fe80::1'],
    ...['fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '100::1'],
    ...['4000::1', '', 'localhost', 'example.com'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe(findUrlProblem, () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?token=1',
    'https://bücher.example/',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  ])('%s is accepted', (url) => {
    expect(findUrlProblem(url, false)).toBeUndefined();
  });

  it.each([
    ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)'],
    ...['example.com/hook', '/hook', '', ' ', 'https://', 'https://exa mple.com/'],
    ...['https://user@example.com/', 'https://:secret@example.com/', 'https://u:p@example.com/'],
    ...['https://localhost/', 'https://LOCALHOST./', 'https://a.localhost/', 'https://printer/'],
    ...['https://metadata.google.internal/', 'https://nas.local/', 'https://127.0.0.1/'],
    ...['https://127.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://0x7f.1/'],
    ...['https://0177.0.0.1/', 'https://017700000001/', 'https://0/', 'https://0.0.0.0/'],
    ...['https://127。0。0。1/', 'https://①②⑦.0.0.1/', 'https://[::1]/', 'https://[::]/'],
    ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:a9fe:a9fe]/', 'https://[64:ff9b::a00:1]/'],
    ...['https://[::127.0.0.1]/', 'https://[fe80::1]/', 'https://[fd00:ec2::254]/'],
    ...['https://localhost../', 'https://127.0.0.1../', 'HTTPS://127.0.0.1/', 'https:127.0.0.1'],
    ...[
      'https:\\\\127.0.0.1\\',
      ' https://127.0.0.1/',
      'https://127.0.0.1/ ',
      '\u00a0https://10.0.0.1/',
    ],
    ...['https://１２７.０.０.１/', 'https://127.0.0\u00ad.1/', 'https://%31%32%37.0.0.1/'],
    ...[
      'https://example.com@127.0.0.1/',
      'https://127.0.0.1#@example.com/',
      'https://127.0.0.1?.example.com',
    ],
    ...[
      'https://exam\tple.com/',
      'https://example.com/\n',
      '\thttps://example.com/',
      'ht\r\ntps://a.example/',
    ],
    ...['https://169.254.169.254/latest/', 'https://10.0.0.1:8080/', 'https://192.168.1.1./'],
  ])('%s is refused', (url) => {
    expect(findUrlProblem(url, false)).toMatch(/^url must /);
  });

  it('private addresses and http are accepted if they are allowed, credentials never', () => {
    expect(findUrlProblem('http://127.0.0.1:8080/hook', true)).toBeUndefined();
    expect(findUrlProblem('https://receiver/hook', true)).toBeUndefined();
    expect(findUrlProblem('http://user@127.0.0.1/', true)).toBe('url must not contain credentials');
    expect(findUrlProblem('ftp://127.0.0.1/', true)).toBe('url must be an https URL');
  });
});
