const PREFIX = 'latchkey.asked.';

/** Remembers in this browser that a question was asked in the playground, which keeps no question itself. */
export function noteAsked(kbId: string): void {
  localStorage.setItem(PREFIX + kbId, 'yes');
}

export const wasAsked = (kbId: string): boolean => localStorage.getItem(PREFIX + kbId) !== null;
