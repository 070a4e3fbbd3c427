import { describe, expect, it } from '@jest/globals';
import type { SidecarReport } from '../source-kind.js';
import { SettledSidecars } from './settled-sidecars.js';

const report = (...folders: string[]): SidecarReport => ({
  sidecars: folders.map((folder) => ({ folder, names: [] })),
  problems: [],
});
const withName = (isFound: boolean, isOpen = false): SidecarReport => ({
  sidecars: [{ folder: 'hr', names: [{ name: 'a.md', isFound, isOpen }] }],
  problems: [],
});
const DOCUMENTS = ['x.md', 'hr/a.md', 'hr/deep/b.md', 'hrx/c.md'];

/** Compares a report with the states of the run before, and says what is held back. */
function settle(given: SidecarReport | undefined, before = {}, isConfirmed = false) {
  const settled = new SettledSidecars(given, before, isConfirmed);
  for (const key of DOCUMENTS) settled.addDocument(key);
  const findHold = settled.decideHolds();
  const held = Object.fromEntries(
    DOCUMENTS.flatMap((key) => {
      const hold = findHold?.(key);
      return hold === undefined ? [] : [[key, hold]];
    }),
  );
  const codes = settled.errors.map(({ key, code }) => `${key} ${code}`);
  return { held, codes, states: settled.settledPaths };
}

describe('SettledSidecars', () => {
  it('hold back what a lost sidecar stood for, until that is confirmed', () => {
    const first = settle(report('hr'));
    expect(first).toEqual({ held: {}, codes: [], states: { '/hr/.latchkey.yml': 'matched' } });
    const lost = settle(report(), first.states, true);
    expect(lost).toEqual({
      held: { 'hr/a.md': 'new', 'hr/deep/b.md': 'new' },
      codes: ['hr/.latchkey.yml access_path_unmatched'],
      states: { '/hr/.latchkey.yml': 'gone' },
    });
    expect(settle(undefined, lost.states)).toEqual(lost);
    expect(settle(report('hr'), lost.states)).toEqual(first);
    expect(settle(report(), lost.states, true)).toEqual({ held: {}, codes: [], states: {} });
  });

  it.each(['', '..', '../..'])('hold back everything if the one of “%s” is lost', (folder) => {
    const { states } = settle(report(folder));
    expect(Object.keys(settle(report(), states).held)).toEqual(DOCUMENTS);
  });

  it('ask nothing if nothing is left in the folder', () => {
    const { states } = settle(report('gone'));
    expect(settle(report(), states)).toEqual({ held: {}, codes: [], states: {} });
  });

  it('hold back the folder of a name that no file has, until it is confirmed', () => {
    const asked = settle(withName(false), {}, true);
    expect(asked.held).toEqual({ 'hr/a.md': 'all' });
    expect(asked.codes).toEqual(['hr/.latchkey.yml access_path_unmatched']);
    expect(settle(withName(false), asked.states).held).toEqual(asked.held);
    const confirmed = settle(withName(false), asked.states, true);
    expect(confirmed.held).toEqual({});
    expect(settle(withName(false), confirmed.states).held).toEqual({});
    const found = settle(withName(true), confirmed.states);
    expect(settle(withName(false), found.states).held).toEqual({ 'hr/a.md': 'new' });
    expect(settle(withName(false, true)).held).toEqual({});
  });

  it('keep out of the states of a map', () => {
    expect(settle(report(), { hr: 'matched', 'hr/.latchkey.yml': 'matched' }).held).toEqual({});
  });
});
