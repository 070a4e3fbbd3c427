/**
 * The one form in which names and ids of persons are compared, wherever they come from: without case, and
 * in the Unicode form NFC. Capitals of sigma have two small letters, of which one stands at ends of words.
 */
export const comparedName = (name: string): string =>
  name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
