import { describe, expect, it } from '@jest/globals';
import { readConversation } from './given-messages.js';

const said = (role: string, text: string) => ({ role, text });

describe(readConversation.name, () => {
  it('pairs answers with the questions before them, whatever stands between', () => {
    const messages = [
      said('system', 'Be brief.'),
      said('user', 'One?'),
      said('assistant', ''),
      said('tool', '{"a": 1}'),
      said('assistant', 'First.'),
      said('user', 'Two?'),
      said('user', 'Three?'),
      said('developer', 'In verse.'),
    ];
    expect(readConversation(messages, 'messages')).toEqual({
      question: 'Three?',
      history: [{ question: 'One?', answer: 'First.' }],
    });
  });

  it('takes the question before a call of a tool that the client made itself', () => {
    const messages = [said('user', 'One?'), said('assistant', ''), said('tool', '1')];
    expect(readConversation(messages, 'messages').question).toBe('One?');
  });

  it.each([[[]], [[said('system', 'a')]], [[said('user', 'a'), said('assistant', 'b')]]])(
    'refuses messages without a question at the end: %j',
    (messages) => {
      expect(() => readConversation(messages, 'input')).toThrow();
    },
  );
});
