import { describe, expect, it } from '@jest/globals';
import { toCandidates } from './to-candidates.js';

const passage = (text: string, heading: string | null = null) => ({ text, heading });
const ask = (passages: ReturnType<typeof passage>[], language: string | null = 'en') =>
  toCandidates([{ id: 'doc_1', title: 'Handbook', language, passages }]).map(
    ({ question }) => question,
  );

describe(toCandidates.name, () => {
  it('takes the questions of a list of frequent ones', () => {
    const text = 'Q: How long may I return an order?\nA: 30 days.\n2. Do you ship to Norway?\nYes.';
    expect(ask([passage(text)])).toEqual([
      'How long may I return an order?',
      'Do you ship to Norway?',
    ]);
    expect(ask([passage('Πόσο διαρκεί η εγγύηση;\nΔύο χρόνια.')], 'el')).toEqual([
      'Πόσο διαρκεί η εγγύηση;',
    ]);
    expect(ask([passage('ما هي ساعات العمل؟\nمن التاسعة إلى الخامسة.')], 'ar')).toEqual([
      'ما هي ساعات العمل؟',
    ]);
  });

  it('leaves out questions within a paragraph, and code', () => {
    const text = 'Unsure? So are we. What now? Read on.\nconst isOpen = hour > 9 ? open : closed;';
    expect(ask([passage(text)])).toEqual([]);
  });

  it('asks about headings in the language of the document', () => {
    const about = (heading: string, language: string | null) =>
      ask([passage('Text.', heading)], language);
    expect(about('3.2 Annual leave', 'en')).toEqual(['What should I know about “Annual leave”?']);
    expect(about('§ 4 Arbeitszeit auf Reisen', 'de')).toEqual([
      'Was muss ich über „Arbeitszeit auf Reisen“ wissen?',
    ]);
    expect(about('資格手当', 'ja')).toEqual(['「資格手当」について教えてください。']);
    expect(about('Права и обязанности', 'ru')).toEqual(['Права и обязанности?']);
    expect(about('What does it cost?', 'en')).toEqual(['What does it cost?']);
  });

  it('leaves out headings that say nothing by themselves, and the title above all passages', () => {
    const headings = ['Title', 'Phase 2', '1.', 'A'];
    const passages = headings.map((heading) => passage('Text.', `Employee handbook › ${heading}`));
    expect(ask(passages)).toEqual([]);
  });

  it('asks what things are that a text explains', () => {
    const text =
      'A timestamp server is a machine that publishes hashes. It is a simple idea. This tool is the best.';
    expect(ask([passage(text)])).toEqual(['What is a timestamp server?']);
    expect(ask([passage('通信講座とは、自宅で学ぶ講座です。')], 'ja')).toEqual([
      '通信講座とは何ですか？',
    ]);
  });

  it('begins with one question of each document', () => {
    const faq = (id: string, ...questions: string[]) => ({
      ...{ id, title: id, language: 'en', passages: questions.map((text) => passage(text)) },
    });
    const found = toCandidates([
      faq('doc_a', 'Is parking free?', 'Are dogs welcome?'),
      faq('doc_b', 'When do you open?'),
    ]);
    expect(found.map(({ question, documentId }) => [question, documentId])).toEqual([
      ['Is parking free?', 'doc_a'],
      ['When do you open?', 'doc_b'],
      ['Are dogs welcome?', 'doc_a'],
    ]);
  });
});
