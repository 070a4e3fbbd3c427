import { describe, expect, it } from '@jest/globals';
import { ratePassages } from './read-passages.js';
import { MAX_WORDS } from './reading.js';
import { buildParagraphs, chooseSpans } from './spans.js';

describe(chooseSpans, () => {
  it('ends before a sentence as short as a heading whose paragraph is not quoted', () => {
    const text = `A lost scarf costs £22. It is green.

Article 7: Lost keys. ${'Keys are copied by the caretaker. '.repeat(12)}`;
    const passage = { text, title: '', heading: null, language: null, matched: [] };
    const { passages } = ratePassages({ question: 'Lost scarf?', terms: [], passages: [passage] });
    const units = passages[0]?.units ?? [];
    // All are as near to the question, as they may be by their vectors.
    const scores = new Map(units.map((unit, index) => [unit, index < 3 ? 1 : -9]));
    const spans = chooseSpans(passages, units.slice(0, 1), undefined, scores, MAX_WORDS);
    expect(buildParagraphs(spans)).toEqual([
      { passage: 0, text: 'A lost scarf costs £22. It is green.' },
    ]);
  });

  it('quotes less beside what answers best where the meaning is known', () => {
    const texts = ['A lost scarf costs £22.', 'Keys are copied by the caretaker. '.repeat(7)];
    const countUnits = (features: object) => {
      const passages = texts.map((text) => {
        return { text, title: '', heading: null, language: null, matched: [] };
      });
      const rated = ratePassages({ question: 'Scarf?', terms: [], passages }).passages.map(
        ({ units, ...passage }) => ({
          ...passage,
          units: units.map((unit) => ({ ...unit, features: { ...unit.features, ...features } })),
        }),
      );
      const units = rated.flatMap((passage) => passage.units);
      const anchors = rated.flatMap((passage) => passage.units.slice(0, 1));
      const scores = new Map(units.map((unit) => [unit, 1]));
      return chooseSpans(rated, anchors, undefined, scores, MAX_WORDS).map(
        (span) => span.units.length,
      );
    };
    expect(countUnits({})).toEqual([1, 7]);
    expect(countUnits({ whole: 0.9 })).toEqual([1, 3]);
  });

  const NAME = { word: 'renn', stems: ['renn'], weight: 1, isKnown: true, mayBeName: true };

  /** Quotes sentences of a text, best first; no other one is any good by itself. */
  function quote(text: string, best: readonly string[], language = 'en', type?: 'manner') {
    const passage = { text, title: '', heading: null, language, matched: [] };
    const question = { question: 'When does Renn open?', terms: [NAME] };
    const { passages } = ratePassages({ ...question, passages: [passage] });
    const units = passages.flatMap((rated) => rated.units);
    const anchors = best.flatMap((one) => units.filter((unit) => unit.text.startsWith(one)));
    expect(anchors).toHaveLength(best.length);
    const scores = new Map(units.map((unit) => [unit, anchors.includes(unit) ? 1 : -9]));
    const spans = chooseSpans(passages, anchors, type, scores, MAX_WORDS);
    return buildParagraphs(spans).map((paragraph) => paragraph.text);
  }

  it.each([
    ['en', 'You may work from home two days.', 'Workshop staff may not.'],
    ['en', 'You may work from home two days.', 'Workshop staff cannot.'],
    ['de', 'Die Garantie gilt zwei Jahre ab dem Kauf.', 'Für Akkus gilt sie nicht.'],
    ['es', 'La inscripción de un adulto cuesta 25 €.', 'Los menores no pagan.'],
    ['fr', 'Vous pouvez télétravailler deux jours par semaine.', 'L’atelier ne le peut pas.'],
    ['pl', 'Możesz pracować z domu dwa dni w tygodniu.', 'Warsztat nie może.'],
    ['ja', '在宅勤務は週二日できます。', '工場の職員はできません。'],
  ])('goes on to what restricts the answer (%s): %s', (language, answer, restriction) => {
    const gap = language === 'ja' ? '' : ' ';
    const text = [answer, restriction, 'X.'].join(gap);
    expect(quote(text, [answer], language)).toEqual([[answer, restriction].join(gap)]);
  });

  it('does not go on to a denial of another paragraph, or a long one', () => {
    const answer = 'You may work from home two days.';
    expect(quote(`${answer}\n\nThe yard is not heated.`, ['You'])).toEqual([answer]);
    expect(quote(`${answer} The yard is not ${'very '.repeat(20)}warm.`, ['You'])).toEqual([
      answer,
    ]);
  });

  it('begins with the sentence that has the name of the question, also two before', () => {
    const text = 'Sofia Renn runs the bakery. It has two ovens. She opens at six.';
    expect(quote(text, ['She'])).toEqual([text]);
    expect(quote(text.replace('Renn', 'Moe'), ['She'])).toEqual(['She opens at six.']);
  });

  it('puts what answers best first, unless it is asked how', () => {
    const text = 'Put it on.\n\nNothing is known.\n\nTurn it off.';
    const best = ['Turn', 'Put'];
    expect(quote(text, best)).toEqual(['Turn it off.', 'Put it on.']);
    expect(quote(text, best, 'en', 'manner')).toEqual(['Put it on.', 'Turn it off.']);
  });
});
