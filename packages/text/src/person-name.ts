/**
 * Converts names and ids of persons to the one form in which they are compared: lower case, Unicode form NFC. The
 * final small sigma becomes the other one, since both have the same capital.
 */
export const toComparableName = (name: string): string =>
  name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
