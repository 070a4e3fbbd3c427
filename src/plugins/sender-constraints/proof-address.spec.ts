import { describe, expect, it } from '@jest/globals';
import { toProofAddress } from './proof-address.js';

describe(toProofAddress.name, () => {
  it.each([
    ['HTTPS://KB.Example.com:443/api/v1/query?a=b#c', 'https://kb.example.com/api/v1/query'],
    ['http://127.0.0.1:3000/api/./v1/../v1/%71uery', 'http://127.0.0.1:3000/api/v1/query'],
    ['https://kb.example.com/%7ea%2fb%c3%bc', 'https://kb.example.com/~a%2Fb%C3%BC'],
    ['https://kb.example.com', 'https://kb.example.com/'],
  ])('spells %s as %s', (address, expected) => {
    expect(toProofAddress(address)).toBe(expected);
  });

  it.each(['', '/api/v1/query', 'ftp://kb.example.com/', 'data:text/plain,x'])(
    'refuses %j',
    (text) => {
      expect(toProofAddress(text)).toBeUndefined();
    },
  );

  it('keeps what makes a difference', () => {
    const others = ['/a%2Fb', '/a/b', '/a/b/', '/A/b', '/a//b'];
    const spelled = others.map((path) => toProofAddress(`https://kb.example.com${path}`));
    expect(new Set(spelled).size).toBe(others.length);
  });
});
