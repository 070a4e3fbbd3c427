import { describe, expect, it } from '@jest/globals';
import { analyseQuestion } from './analyse-question.js';

const content = (question: string, language: string) =>
  analyseQuestion(question, [language], 100).content.map(({ word }) => word);

describe(analyseQuestion.name, () => {
  it('makes no pairs of characters with question words', () => {
    expect(content('企鹅吃什么？', 'zh')).toEqual(['企鹅', '鹅吃']);
  });

  it('knows question words and stop words in traditional characters, too', () => {
    expect(content('企鵝為什麼游泳？', 'zh')).toEqual(['企鵝', '游泳']);
    expect(content('企鵝 與 魚', 'zh')).toEqual(['企鵝', '魚']);
  });

  it('keeps a question of question words alone', () => {
    const { words } = analyseQuestion('什么？', ['zh'], 100);
    expect(words.map(({ word }) => word)).toEqual(['什么']);
  });

  it('tells pairs of characters within a word from those that join two words', () => {
    const { words } = analyseQuestion('企鹅吃鱼', ['zh'], 100);
    const joining = words.filter(({ joinsWords }) => joinsWords).map(({ word }) => word);
    // Two characters beside each other may be a name.
    expect(joining).toEqual(['鹅吃']);
  });

  it('leaves out auxiliary verbs, and verbs that ask for a name', () => {
    expect(content('¿Quién fue el rey que tenía pingüinos?', 'es')).toEqual(['rey', 'pinguinos']);
    expect(content('Wie heißt der größte Pinguin?', 'de')).toEqual(['grosste', 'pinguin']);
    expect(content('What does a penguin eat?', 'en')).toEqual(['penguin', 'eat']);
  });

  it('leaves out what words are contracted with', () => {
    expect(content("What's the penguin that doesn't swim?", 'en')).toEqual(['penguin', 'swim']);
    expect(content('Who’ll feed a penguin’s chick?', 'en')).toEqual(['feed', 'penguin', 'chick']);
  });

  it('has what words are contracted with among its words, where nothing else may be asked for', () => {
    const { words, content } = analyseQuestion("don't", ['en'], 10);
    expect(words.map(({ word }) => word)).toEqual(['don', 't']);
    expect(content).toEqual([]);
  });

  it('joins a verb with the particle at the end of a German or Dutch question', () => {
    const { words } = analyseQuestion('Wie melde ich mich im Portal an?', ['de', 'nl'], 10);
    const joined = words.flatMap(({ word, joined }) => (joined[0] ? [[word, joined[0]]] : []));
    expect(joined).toEqual([['melde', 'anmeld']]);
    expect(content('Wie melde ich mich im Portal an?', 'de')).toEqual(['melde', 'portal']);
    expect(content('Wie mache ich das Licht aus?', 'de')).toEqual(['mache', 'licht']);
  });
});
