/** Whose vectors search compares; the room that has them sets it. */
export const meaning = { describe: (): string => 'off' };
