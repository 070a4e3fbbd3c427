import { describe, expect, it } from '@jest/globals';
import { WarningList } from './warning-list.js';

describe(WarningList, () => {
  it('has one warning for all that is left out for the same reason, each part once', () => {
    const warnings = new WarningList();
    warnings.add({ code: 'not_read', what: 'chart' });
    warnings.add({ code: 'hidden_left_out', what: 'slide 2' });
    warnings.add({ code: 'not_read', what: 'SmartArt' });
    warnings.add({ code: 'not_read', what: 'chart' });
    warnings.add({ code: 'sheet_hidden', message: 'The hidden sheet “A” is left out.' });
    expect(warnings.toWarnings()).toEqual([
      { code: 'sheet_hidden', message: 'The hidden sheet “A” is left out.' },
      { code: 'not_read', message: 'Some parts are not read: chart, SmartArt.' },
      { code: 'hidden_left_out', message: 'Hidden parts are left out: slide 2.' },
    ]);
  });

  it('names ten parts of many, and keeps twenty other warnings', () => {
    const warnings = new WarningList();
    for (let n = 1; n <= 1000; n++) {
      warnings.add({ code: 'hidden_left_out', what: `row ${n}` });
      warnings.add({ code: 'part_unreadable', message: `Part ${n} could not be read.` });
    }
    warnings.add({ code: 'not_read', what: 'x'.repeat(100_000) });
    const all = warnings.toWarnings();
    expect(all).toHaveLength(22);
    expect(all.at(-2)?.message).toMatch(/^Hidden parts are left out: row 1, .*, row 10, …\.$/);
    expect(all.at(-1)?.message.length).toBeLessThan(200);
  });
});
