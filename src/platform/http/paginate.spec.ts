import { describe, expect, it } from '@jest/globals';
import { decodeCursor, encodeCursor } from './paginate.js';
import { newId } from './type-id.js';

describe(decodeCursor.name, () => {
  it('returns the id that the cursor was made of', () => {
    const id = newId('doc');
    expect(decodeCursor(encodeCursor(id))).toBe(id);
  });

  it.each(['', 'x', '%', encodeCursor("doc_' OR 1=1"), encodeCursor(newId('doc').slice(0, -1))])(
    'refuses %j, naming the field',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow(
        expect.objectContaining({ code: 'validation_failed' }),
      );
    },
  );
});
