import { describe, expect, it } from '@jest/globals';
import { findSeparatedVerb } from './separated-verb.js';

describe(findSeparatedVerb, () => {
  it.each([
    ['Wie melde ich mich im Portal an?', 'melde', 'an'],
    ['Um wie viel Uhr fängt der Kurs an?', 'fängt', 'an'],
    ['Schaltet sich das Gerät nachts ab?', 'schaltet', 'ab'],
    ['Guten Tag. Wenn ich umziehe, wie melde ich mich dann ab?', 'melde', 'ab'],
    ['Hoe vul ik water bij?', 'vul', 'bij'],
    ['Hoe lang gaat de pomp dan uit?', 'gaat', 'uit'],
  ])('is found in %s', (question, verb, particle) => {
    expect(findSeparatedVerb(question)).toEqual({ verb, particle });
  });

  it.each([
    'Wie kann ich das Gerät aus?',
    'Mag de pomp uit?',
    'Wie melde ich mich im Portal?',
    'What is the lock on?',
    'an?',
    '',
  ])('is not found in %j', (question) => {
    expect(findSeparatedVerb(question)).toBeUndefined();
  });
});
