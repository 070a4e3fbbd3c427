import { describe, expect, it } from '@jest/globals';
import { findAskedList, isListed } from './asked-list.js';

describe(findAskedList, () => {
  it.each([
    ['en', 'How many documents are there?', true],
    ['en', 'Which documents do you have?', false],
    ['en', 'List all files', false],
    ['de', 'Wie viele Dokumente gibt es?', true],
    ['de', 'Welche Dokumente gibt es?', false],
    ['fr', 'Combien de documents y a-t-il ?', true],
    ['fr', 'Quels documents avez-vous ?', false],
    ['es', '¿Cuántos documentos hay?', true],
    ['es', '¿Qué documentos hay?', false],
    ['it', 'Quanti documenti ci sono?', true],
    ['pt', 'Quantos documentos existem?', true],
    ['nl', 'Hoeveel documenten zijn er?', true],
    ['pl', 'Ile jest dokumentów?', true],
    ['sv', 'Hur många dokument finns det?', true],
    ['ru', 'Сколько документов есть?', true],
    ['uk', 'Скільки є документів?', true],
    ['ja', 'ドキュメントはいくつありますか？', true],
    ['zh', '有多少文档？', true],
    ['ko', '문서가 몇 개 있나요?', true],
    ['ko', '어떤 문서가 있나요?', false],
  ])('finds a question for all documents (%s): %s', (language, question, counts) => {
    expect(findAskedList(question)).toEqual({
      ...{ about: new Set(), namesDocuments: true, counts, language },
    });
  });

  it.each([
    ['Which documents are about returns?', ['return']],
    ['How many documents from the support department are there?', ['support', 'depart']],
    ['Welche Dokumente gibt es zu Urlaub?', ['urlaub']],
    ['Quels documents avez-vous sur les congés ?', ['cong']],
    ['¿Qué documentos hay sobre vacaciones?', ['vacacion']],
  ])('says what the documents are to be about: %s', (question, about) => {
    expect([...(findAskedList(question)?.about ?? [])]).toEqual(about);
  });

  it.each([
    ['Which manuals are there?', 'manual'],
    ['How many manuals do you have?', 'manual'],
    ['Welche Handbücher gibt es?', 'handbuch'],
  ])('finds what the metadata may name: %s', (question, name) => {
    const list = findAskedList(question);
    expect(list).toMatchObject({ namesDocuments: false, about: new Set([name]) });
  });

  it.each([
    'When were the documents uploaded?',
    'Who writes the documents?',
    'Which documents do I need?',
    'Welche Unterlagen brauche ich?',
    '¿Qué documentos necesito?',
    'Quels documents faut-il ?',
    'What documents should I have with me?',
    'Is the file available?',
    'All documents are available',
    'Where are the files?',
    'What is a document?',
    'What is this document about?',
    'What is a filet?',
    'Which documentary?',
    'Wie groß darf eine Datei sein?',
    '文件有多大？',
    'How much is parking?',
    '¿Cuánto es la fianza?',
    'What is HR?',
    'Where is HR?',
    'Why is there a policy?',
    'Which language?',
    '휴가에 관한 문서가 있나요?',
    'What is there?',
    'Thanks',
    'qwrt',
    `How many documents are there ${'or elsewhere '.repeat(20)}?`,
  ])('takes no other question for one: %s', (question) => {
    expect(findAskedList(question)).toBeUndefined();
  });
});

describe(isListed, () => {
  const listOf = (question: string) => {
    const list = findAskedList(question);
    if (!list) throw new Error(`No list: ${question}`);
    return list;
  };

  it('has a document whose title or metadata have each word', () => {
    const list = listOf('Which documents are about returned parcels?');
    expect(isListed(list, 'Returning a parcel', [])).toBe(true);
    expect(isListed(list, 'Returns', ['parcel'])).toBe(true);
    expect(isListed(list, 'Returns', ['letter'])).toBe(false);
  });

  it('has a document with such a value where the question does not speak of documents', () => {
    const list = listOf('How many manuals are there?');
    expect(isListed(list, 'Pump', ['manual'])).toBe(true);
    expect(isListed(list, 'Manual', ['manual for pumps'])).toBe(false);
  });
});
