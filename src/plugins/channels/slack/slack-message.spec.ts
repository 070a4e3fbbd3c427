import { describe, expect, it } from '@jest/globals';
import { toSlackMessage } from './slack-message.js';

const render = (text: string, isMarkdown = true) => {
  const { blocks } = toSlackMessage({ text, isMarkdown, sources: [] });
  return blocks.map((block) => ('text' in block ? block.text.text : ''));
};
const source = { index: 1, title: 'Returns', url: 'https://shop.example/returns', place: 'page 3' };
const elements = (more: object) => {
  const message = toSlackMessage({
    text: 'Yes.',
    isMarkdown: false,
    sources: [{ ...source, ...more }],
  });
  return message.blocks.flatMap((block) => ('elements' in block ? block.elements : []));
};

describe(toSlackMessage.name, () => {
  it.each([
    ['**30 days** and *no more*. [1]', '*30 days* and _no more_. [1]'],
    ['# Returns', '*Returns*'],
    ['- one\n- two\n  - three', '• one\n• two\n    • three'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['[the form](https://shop.example/a?b=1&c=2)', '<https://shop.example/a?b=1&amp;c=2|the form>'],
    ['[x](javascript:alert(1))', 'x'],
    ['`a < b`', '`a &lt; b`'],
    ['```sh\nls > x\n```', '```ls &gt; x```'],
    ['> said', '> said'],
  ])('writes %j as %j', (markdown, expected) => {
    expect(render(markdown)).toEqual([expected]);
  });

  it.each([true, false])('lets a document mention nobody (Markdown: %s)', (isMarkdown) => {
    const hostile = 'Ask <!channel>, <!here|x> and <@U123> & <https://evil.example|us>.';
    const { text, blocks } = toSlackMessage({ text: hostile, isMarkdown, sources: [] });
    const written = JSON.stringify(blocks) + text;
    expect(written).not.toMatch(/<[!@]/);
    expect(written).not.toContain('<https://evil.example|us>');
    expect(blocks.every((block) => !('text' in block) || block.text.verbatim)).toBe(true);
  });

  it('lets an address end no link early', () => {
    const [line] = elements({ url: 'https://shop.example/a|b>c<!channel>', title: '<!here>|x' });
    expect(line?.text).toBe(
      '[1] <https://shop.example/a%7Cb%3Ec%3C!channel%3E|&lt;!here&gt; x> · page 3',
    );
  });

  it('shows a source without an address by its name', () => {
    expect(elements({ url: null })[0]?.text).toBe('[1] Returns · page 3');
    expect(elements({ url: 'file:///etc/passwd' })[0]?.text).toBe('[1] Returns · page 3');
  });

  it.each([
    ['a text', 'word & '.repeat(8000), true],
    ['a quotation', 'word < '.repeat(8000), false],
    ['one word', '<😀>'.repeat(20_000), false],
    ['code', `\`\`\`\n${'a > b\n'.repeat(8000)}\`\`\``, true],
  ])('keeps %s of any length within Slack’s limits', (_, text, isMarkdown) => {
    const sources = Array.from({ length: 60 }, () => ({ ...source, title: 't'.repeat(5000) }));
    const message = toSlackMessage({ text, isMarkdown, sources });
    expect(message.blocks.length).toBeLessThanOrEqual(50);
    expect(message.text.length).toBeLessThan(3000);
    for (const block of message.blocks) {
      const texts = 'elements' in block ? block.elements : [block.text];
      for (const { text: one } of texts) {
        expect(one.length).toBeLessThanOrEqual(3000);
        expect(one.isWellFormed()).toBe(true);
        expect(one).not.toMatch(/&(?!(?:amp|lt|gt);)/);
      }
    }
  });

  it('says something even where there is nothing to say', () => {
    expect(toSlackMessage({ text: 'Hello', isMarkdown: true, sources: [] }).text).toBe('Hello');
  });
});
