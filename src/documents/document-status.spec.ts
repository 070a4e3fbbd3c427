import { describe, expect, it } from '@jest/globals';
import { DOCUMENT_TRANSITIONS } from './document-status.js';
import { requireConsistent, type StatusTransition } from './transition-check.js';

type Status = 'new' | 'busy' | 'gone';
const check = (table: Record<string, StatusTransition<Status>>) => () => {
  requireConsistent(table, ['new', 'busy', 'gone'], 'new', 'gone');
};
const start = { from: ['new'], to: 'busy' } as const;
const remove = { from: ['new', 'busy'], to: 'gone' } as const;

describe('the transitions of a document', () => {
  it('lead from pending over processing to ready and failed', () => {
    const { lease, publish, fail } = DOCUMENT_TRANSITIONS;
    expect(lease).toMatchObject({ from: expect.arrayContaining(['pending']), to: 'processing' });
    expect([publish, fail]).toMatchObject([
      { from: ['processing'], to: 'ready' },
      { from: ['processing'], to: 'failed' },
    ]);
  });

  it('record an audit event for whatever a user does', () => {
    const unrecorded = Object.entries(DOCUMENT_TRANSITIONS).flatMap(([name, transition]) =>
      'action' in transition ? [] : [name],
    );
    expect(unrecorded).toEqual([
      'deleteWithKnowledgeBase',
      'deleteWithSource',
      'lease',
      'publish',
      'publishPart',
      'fail',
      'requeue',
    ]);
  });
});

describe(requireConsistent.name, () => {
  it('takes a table in which every status is reached and ends', () => {
    expect(check({ start, remove })).not.toThrow();
  });

  it('refuses a status that nothing leads to', () => {
    expect(check({ remove })).toThrow('No transition leads to busy');
  });

  it('refuses a status that never ends', () => {
    const removeNew = { from: ['new'], to: 'gone' } as const;
    expect(check({ start, removeNew })).toThrow('busy does not lead to gone');
  });

  it('refuses a way out of the last status', () => {
    const revive = { from: ['gone'], to: 'new' } as const;
    expect(check({ start, remove, revive })).toThrow('A transition leads out of gone');
  });
});
