import { describe, expect, it } from '@jest/globals';
import { meansTheSame, toQuestionForm } from './same-question.js';

const key = (question: string, language = 'en') => toQuestionForm(question, language).key;

describe(toQuestionForm.name, () => {
  it.each([
    ['How long may I return an order?', 'how long may we return orders'],
    ["What's the price of the Pro plan?", 'What is the price of the Pro plan'],
    ['Price of the Pro plan?', 'What is the price of the Pro plan?'],
    ['Hi, how long is the warranty?', 'How long is the warranty?'],
    ['hello! how long is the warranty, thanks', 'How long is the warranty?'],
    ["Why can't I log in?", 'Why can I not log in?'],
  ])('is the same for the same words: %s', (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  it.each([
    ['May I return it before payment?', 'May I return it after payment?'],
    ['May I return an order?', 'May I not return an order?'],
    ['When does the canteen open?', 'Where does the canteen open?'],
    ['Who is the chair of the board?', 'Who was the chair of the board?'],
    ['From Berlin to Munich?', 'To Berlin from Munich?'],
    ['What does error E-4012 mean?', 'What does error E-4021 mean?'],
    ['How do I turn a PDF into Word?', 'How do I turn Word into a PDF?'],
    ['?', '!'],
  ])('is another one: %s', (one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  it('takes no names and numbers from the question that it goes on from', () => {
    const before = ['How long is the warranty on the X200?'];
    const completed = toQuestionForm('And on the X300?', 'en', before);
    expect(completed.unordered).toBe(
      toQuestionForm('How long is the warranty on the X300?', 'en').unordered,
    );
  });

  it('knows the question words of languages without spaces', () => {
    expect(key('谁付退货运费？', 'zh')).not.toBe(key('什么时候付退货运费？', 'zh'));
  });
});

describe(meansTheSame.name, () => {
  const same = (one: string, other: string, similarity: number, language = 'en') =>
    meansTheSame(toQuestionForm(one, language), toQuestionForm(other, language), similarity);

  it.each([
    ['How much is the Pro plan?', 'What does the Pro plan cost?'],
    ['Does the price include breakfast?', 'Is breakfast included in the price?'],
    ['What is the cost of shipping?', 'What does shipping cost?'],
    ['Is it possible to pay by invoice?', 'May I pay by invoice?'],
  ])('finds the same words in another order: %s', (one, other) => {
    expect(same(one, other, 0.8)).toBe(true);
    expect(same(one, other, 0.79)).toBe(false);
  });

  it('takes other words only if the meaning is nearly the same', () => {
    const pair = ['How do I delete my account?', 'How do I remove my account?'] as const;
    expect(same(...pair, 0.96)).toBe(true);
    expect(same(...pair, 0.95)).toBe(false);
  });

  it.each([
    ['How long is the warranty on the X300?', 'How long is the warranty on the X200?'],
    ['What is the allowance for 2025?', 'What is the allowance for 2026?'],
    ['What is the rate over twenty years?', 'What is the rate over ten years?'],
    ['Who runs the Berlin office?', 'Who runs the Hamburg office?'],
    ['Who is the deputy head of the office?', 'Who is the head of the office?'],
    ['What does the Pro plan include?', 'What does the Pro plan cost?'],
    ['How do I convert Word to PDF?', 'How do I convert PDF to Word?'],
    ['May a member reject a manager?', 'May a manager reject a member?'],
    ['Is breakfast not included?', 'Is breakfast included?'],
  ])('takes no other question, however near: %s', (one, other) => {
    expect(same(one, other, 0.999)).toBe(false);
  });

  it('compares the order of each two words once, however often they come', () => {
    class Counted extends Set<string> {
      count = 0;
      override has(pair: string): boolean {
        this.count++;
        return super.has(pair);
      }
    }
    const form = toQuestionForm('vpn mfa '.repeat(500), 'en');
    const adjacent = new Counted(form.adjacent);
    expect(meansTheSame({ ...form, adjacent }, form, 1)).toBe(true);
    expect(adjacent.count).toBeLessThan(10);
  });
});
