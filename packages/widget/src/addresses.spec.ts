import { describe, expect, it } from '@jest/globals';
import { contactAddress, webAddress } from './addresses.js';

describe(webAddress.name, () => {
  it.each(['https://shop.example.com/returns', 'http://localhost:3000/a?b=c#d'])(
    'takes %s',
    (address) => {
      expect(webAddress(address)).toBe(address);
    },
  );

  it.each([
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
    ],
    ...[
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x',
      'blob:https://a/b',
      'file:///etc',
    ],
    ...['mailto:a@example.com', '/returns', 'returns', '//', '', null, undefined],
  ])('takes no %j', (address) => {
    expect(webAddress(address)).toBeUndefined();
  });

  it('completes a path with the address of the service', () => {
    expect(webAddress('/api/v1/x', 'https://kb.example.com/')).toBe(
      'https://kb.example.com/api/v1/x',
    );
    expect(webAddress('javascript:alert(1)', 'https://kb.example.com/')).toBeUndefined();
  });
});

describe(contactAddress.name, () => {
  it('may be a mail', () => {
    expect(contactAddress('mailto:help@example.com')).toBe('mailto:help@example.com');
    expect(contactAddress('javascript:alert(1)')).toBeUndefined();
  });
});
