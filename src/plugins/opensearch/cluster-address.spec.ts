import { describe, expect, it } from '@jest/globals';
import { readClusterAddress } from './cluster-address.js';

describe(readClusterAddress.name, () => {
  it('separates the nodes from their user', () => {
    const urls = ['https://us%40er:p%3Aw@one.example:9200/', 'https://two.example'];
    expect(readClusterAddress(urls)).toEqual({
      nodes: ['https://one.example:9200', 'https://two.example'],
      auth: { username: 'us@er', password: 'p:w' },
    });
  });

  it('needs no user', () => {
    expect(readClusterAddress(['http://[::1]:9200'])).toEqual({ nodes: ['http://[::1]:9200'] });
  });
});
