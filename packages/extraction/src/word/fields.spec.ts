import { describe, expect, it } from '@jest/globals';
import { growth } from '../../test/growth.js';
import { Fields } from './fields.js';

const mark = (type: string) => ({ 'w:fldCharType': type });
const begin = (fields: Fields) => fields.open('fldChar', mark('begin'));
const page = (fields: Fields) => {
  begin(fields);
  fields.addCode(' PAGE ');
  fields.open('fldChar', mark('separate'));
};

describe(Fields.name, () => {
  it('tells the number of a page also within and after other fields', () => {
    const fields = new Fields();
    begin(fields);
    expect(fields.isPageNumber).toBe(false);
    page(fields);
    begin(fields);
    expect(fields.isPageNumber).toBe(true);
    fields.end();
    fields.end();
    expect(fields.isPageNumber).toBe(false);
    fields.end();
    fields.open('fldSimple', { 'w:instr': 'NUMPAGES' });
    expect(fields.isPageNumber).toBe(true);
    fields.end();
    fields.end();
    expect(fields.isPageNumber).toBe(false);
  });

  it('takes a result for the number of a page once its code is whole', () => {
    const fields = new Fields();
    begin(fields);
    fields.addCode(' PA');
    fields.addCode('GE ');
    expect(fields.isPageNumber).toBe(false);
    fields.open('fldChar', mark('separate'));
    fields.open('fldChar', mark('separate'));
    expect(fields.isPageNumber).toBe(true);
    fields.end();
    expect(fields.isPageNumber).toBe(false);
  });

  it('goes on right after fields that are nested too deeply', () => {
    const fields = new Fields();
    for (let depth = 0; depth < 1000; depth++) begin(fields);
    page(fields);
    expect(fields.end()).toBe('');
    for (let depth = 0; depth < 1000; depth++) expect(fields.end()).toBe('');
    page(fields);
    expect(fields.isPageNumber).toBe(true);
    fields.end();
    expect(fields.isPageNumber).toBe(false);
  });

  it.each<[what: string, open: (fields: Fields) => void]>([
    ['begin', (fields) => begin(fields)],
    ['have results', (fields) => fields.open('fldSimple', { 'w:instr': 'DATE' })],
  ])('asks about texts in fields that %s and never end in linear time', async (_, open) => {
    const work = (size: number) => {
      const fields = new Fields();
      for (let n = 0; n < size; n++) {
        open(fields);
        if (fields.isPageNumber) throw new Error('It is none.');
      }
    };
    expect(await growth(work, 3000)).toBeLessThan(24);
  });
});
