import { describe, expect, it } from '@jest/globals';
import { newestMessages } from './lenient-body.js';

const message = (role: string, content: string) => ({ role, content });

describe(newestMessages.name, () => {
  it('leaves out the oldest messages of more than 200, and no instructions', () => {
    const said = Array.from({ length: 300 }, (_, n) => message('user', String(n)));
    const system = message('system', 'Be brief.');
    const developer = message('developer', 'In verse.');
    expect(newestMessages(said.slice(0, 200))).toEqual(said.slice(0, 200));
    expect(newestMessages(said)).toEqual(said.slice(100));
    expect(newestMessages([system, ...said.slice(0, 150), developer, ...said.slice(150)])).toEqual([
      system,
      ...said.slice(102, 150),
      developer,
      ...said.slice(150),
    ]);
  });
});
