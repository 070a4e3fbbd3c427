import { describe, expect, it } from '@jest/globals';
import { housekeepingReply } from './housekeeping.js';

const QUESTION =
  'How long may customers return an order that was sent as a gift to another country?';
const TITLE = 'How long may customers return an order that was sent as a…';
const EXCHANGE = `USER: ${QUESTION}\nASSISTANT: For 30 days. [1]`;

/** In the form of Open WebUI's prompts, whose texts an administrator may translate. */
const inElement = (instructions: string, exchange = EXCHANGE) =>
  `${instructions}\n### Chat History:\n<chat_history>\n${exchange}\n</chat_history>`;

describe(housekeepingReply.name, () => {
  it.each([
    ['a title', '### Task:\nName it.\nJSON format: { "title": "a title" }', { title: TITLE }],
    ['tags', 'Nenne Themen als JSON: {"tags": ["eins", "zwei"]}', { tags: [] }],
    ['follow-ups', 'Suggest more.\n{ "follow_ups": ["Question?"] }', { follow_ups: [] }],
    ['searches', 'Strictly return\n{\n  "queries": ["one", "two"]\n}', { queries: [] }],
    ['a completion', 'Continue. If unsure, return: `{ "text": "" }`.', { text: '' }],
  ])('answers the request for %s in the form that it has', (_, instructions, reply) => {
    expect(JSON.parse(housekeepingReply(inElement(instructions), []) ?? '')).toEqual(reply);
  });

  it('answers a title of the first question, in one line and a few words', () => {
    const prompt = (exchange: string) => inElement('{ "title": "a" }', exchange);
    expect(housekeepingReply(prompt('USER: Hello\nASSISTANT: Hi\nUSER: Bye'), [])).toBe(
      '{"title":"Hello"}',
    );
    expect(housekeepingReply(prompt(`USER: ${'退货政策'.repeat(50)}`), [])).toBe(
      `{"title":"${'退货政策'.repeat(15)}…"}`,
    );
    expect(housekeepingReply(prompt(''), [])).toBe('{"title":""}');
  });

  it.each([
    `Provide a title of few words. Only return the title.\n\nConversation:\nUser: ${QUESTION}\nAI: For 30 days.`,
    `1. The language\n2. A concise Title in it\n\nUser: ${QUESTION}\nAI: `,
  ])('answers a title to instructions before an exchange', (prompt) => {
    expect(housekeepingReply(prompt, [])).toBe(TITLE);
  });

  it.each([
    QUESTION,
    'What is the title of the handbook?',
    'What does <chat_history> mean in a template?',
    'Which JSON is right: { "title": "a" } or { "tags": ["a"] }?',
    `What is wrong in this?\nUser: ${QUESTION}\nAI: For 30 days.`,
    `<chat_history>\n${EXCHANGE}\n</chat_history>\nWhat was asked?`,
    `What does the title mean?\nUser: ${QUESTION}`,
  ])('leaves a person’s question: %s', (question) => {
    expect(housekeepingReply(question, [])).toBeUndefined();
  });

  it('leaves what goes on from earlier messages', () => {
    const prompt = inElement('{ "title": "a" }');
    expect(housekeepingReply(prompt, [{ question: 'Hello', answer: 'Hi' }])).toBeUndefined();
  });

  it('takes linear time', () => {
    const long = `${'{ "'.repeat(1000)}<chat_history>${'USER:'.repeat(100_000)}</chat_history>`;
    expect(housekeepingReply(long, [])).toBeUndefined();
  });
});
