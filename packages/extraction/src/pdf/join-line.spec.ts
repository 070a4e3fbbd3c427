import { describe, expect, it } from '@jest/globals';
import { joinLine, joinLines, collectVocabulary } from './join-line.js';

const join = (lines: readonly string[], elsewhere: readonly string[] = []): string =>
  joinLines(lines.join('\n'), collectVocabulary([...elsewhere, ...lines]));

describe(joinLine.name, () => {
  it.each([
    [['the infor-', 'mation is here'], 'the information is here'],
    [['it is in-', 'cluded'], 'it is included'],
    [['die Versiche-', 'rung gilt'], 'die Versicherung gilt'],
    [['информа-', 'ция есть'], 'информация есть'],
  ])('joins a word that is hyphenated: %j', (lines, joined) => {
    expect(join(lines)).toBe(joined);
  });

  it.each([
    [['an X-', 'ray unit'], 'an X-ray unit'],
    [['the T-', 'Shirt'], 'the T-Shirt'],
    [['the ZX-', '4711 costs'], 'the ZX-4711 costs'],
    [['annex COVID-', '19 is'], 'annex COVID-19 is'],
    [['a DNA-', 'based test'], 'a DNA-based test'],
    [['die US-', 'Armee'], 'die US-Armee'],
    [['an iPhone-', 'like thing'], 'an iPhone-like thing'],
    [['Baden-', 'Baden'], 'Baden-Baden'],
    [['a 24-', 'hour clock'], 'a 24-hour clock'],
    [['the state-of-the-', 'art'], 'the state-of-the-art'],
    [['9-', '17 Uhr'], '9-17 Uhr'],
  ])('keeps a hyphen that belongs to the word: %j', (lines, joined) => {
    expect(join(lines)).toBe(joined);
  });

  it.each([
    [['a long-', 'term plan'], 'a long-term plan', 'Each long-term plan'],
    [['a long-', 'term plan'], 'a long-term plan', 'a long-lasting one'],
    [['a long-', 'term plan'], 'a long-term plan', 'a short-term one'],
    [['the worst-', 'case'], 'the worst-case', 'The worst is the case'],
    [['its road-', 'map'], 'its roadmap', 'The road on the map is in the roadmap'],
    [['to re-', 'veal it'], 'to reveal it', 'to re-open it'],
    [['INFOR-', 'MATION'], 'INFORMATION', 'Information'],
    [['KEY-', 'VALUE'], 'KEY-VALUE', 'a key and its value'],
  ])('looks at the other words of the document: %j', (lines, joined, elsewhere) => {
    expect(join(lines, [elsewhere])).toBe(joined);
  });

  it.each([
    [['a worst-', 'case approach'], 'a worst-case approach', 'an open-air bath, a flat-rate fee'],
    [['Csh-', 'artige Shells'], 'Csh-artige Shells', 'ein Online-Dienst'],
    [['vidéo de l’arrière-', 'plan'], 'vidéo de l’arrière-plan', 'au-delà'],
    [['как из-', 'за этого'], 'как из-за этого', 'что-то'],
  ])('keeps all hyphens where lines seldom end with one: %j', (lines, joined, elsewhere) => {
    expect(join(lines, Array<string>(5).fill(elsewhere))).toBe(joined);
    const many = Array.from(
      { length: 100 },
      (_, at) => `line ${at} of a text in which no word is cut`,
    );
    expect(join(lines, many)).toBe(joined);
  });

  it.each([
    [['das Home-Verzeich-', 'nis'], 'das Home-Verzeichnis'],
    [['das Stan-', 'dard-Muster'], 'das Standard-Muster'],
    [['le sous-interpré-', 'teur'], 'le sous-interpréteur'],
    [['an up-to-', 'date list'], 'an up-to-date list'],
  ])('joins syllables of a word with a hyphen: %j', (lines, joined) => {
    expect(join(lines, ['from one to another'])).toBe(joined);
  });

  it.each([
    [['the worst-', 'case approach'], 'the worst-case approach'],
    [['a long-', 'term contract'], 'a long-term contract'],
    [['the first-', 'aid box'], 'the first-aid box'],
    [['the docu-', 'mentation of it'], 'the documentation of it'],
    [['to under-', 'stand it'], 'to understand it'],
    [['on the base-', 'ball field'], 'on the baseball field'],
    [['with Mullig-', 'atawny soup'], 'with Mulligatawny soup'],
  ])('knows the words of English, in a document that hyphenates: %j', (lines, joined) => {
    const english = ['They were asked about these infor-', 'mation systems before. Every in-'];
    const others = ['spection takes place with care, and later all results are publi-', 'shed.'];
    expect(join(lines, [...english, ...others])).toBe(joined);
  });

  it('does not take words of other languages for English compounds', () => {
    const german = ['Die Kosten werden vom Mieter getra-', 'gen, wenn der Vertrag das vorsieht.'];
    expect(join(['den Hand-', 'lung der Versiche-', 'rung'], german)).toBe(
      'den Handlung der Versicherung',
    );
  });

  it('joins a cut name also where the line ends early', () => {
    const vocabulary = collectVocabulary([]);
    expect(joinLine('unit ZX-', '4711 costs', vocabulary, true).text).toBe('unit ZX-4711 costs');
    expect(joinLine('unit ZX', '4711 costs', vocabulary, true).text).toBe('unit ZX\n4711 costs');
  });
});
