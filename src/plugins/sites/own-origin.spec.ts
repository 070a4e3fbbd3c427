import { describe, expect, it } from '@jest/globals';
import { isOwnOrigin } from './own-origin.js';

describe(isOwnOrigin.name, () => {
  const PUBLIC_URL = 'https://kb.example.com/base';

  it.each([
    [undefined, 'http://kb.example.com', 'kb.example.com', true],
    [undefined, 'https://kb.example.com', 'kb.example.com', true],
    [undefined, 'https://kb.example.com:8443', 'kb.example.com:8443', true],
    [undefined, 'https://evil.example', 'kb.example.com', false],
    [undefined, 'chrome-extension://abcd', 'abcd', false],
    [undefined, 'null', 'null', false],
    [undefined, '', '', false],
    [PUBLIC_URL, 'https://kb.example.com', 'inside:3000', true],
    [PUBLIC_URL, 'http://kb.example.com', 'kb.example.com', false],
    [PUBLIC_URL, 'https://evil.example', 'evil.example', false],
    [PUBLIC_URL, 'http://127.0.0.1:3000', '127.0.0.1:3000', true],
    [PUBLIC_URL, 'http://[::1]:3000', '[::1]:3000', true],
  ])('with %s, takes %s at %s as %s', (url, origin, host, isOwn) => {
    expect(isOwnOrigin({ PUBLIC_URL: url }, origin, { host })).toBe(isOwn);
  });
});
