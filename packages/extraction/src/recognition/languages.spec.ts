import { expect, describe, it } from '@jest/globals';
import { findDataName, getScriptLanguages } from './languages.js';

describe(findDataName.name, () => {
  it.each([
    ['de', 'deu'],
    ['de-AT', 'deu'],
    ['zh', 'chi_sim'],
    ['zh-CN', 'chi_sim'],
    ['zh-TW', 'chi_tra'],
    ['zh-Hant', 'chi_tra'],
    ['nb', 'nor'],
  ])('%s is recognised by the data %s', (tag, name) => {
    expect(findDataName(tag)).toBe(name);
  });

  it('is undefined for a language that has no data', () => {
    expect(findDataName('tlh')).toBeUndefined();
  });
});

it('every language that a script is tried in has data', () => {
  const scripts = ['Latin', 'Han', 'Japanese', 'Korean', 'Cyrillic', 'Arabic', 'Hebrew', 'Thai'];
  const languages = scripts.flatMap(getScriptLanguages);
  expect(languages.length).toBeGreaterThanOrEqual(scripts.length);
  expect(languages.filter((tag) => findDataName(tag) === undefined)).toEqual([]);
});
