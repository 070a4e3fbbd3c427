import { ValidateBy, type ValidationOptions } from 'class-validator';

/** The length that RFC 5646 requires software to support. */
export const MAX_LANGUAGE_TAG = 35;
/** The registry has no language with more letters. */
const LANGUAGE = /^[a-z]{2,3}$/;

/**
 * Returns the canonical form of a BCP 47 language tag: `DE-at` becomes `de-AT`, and `deu` becomes `de`.
 *
 * @returns undefined if it is not a language tag
 */
export function canonicalLanguageTag(tag: string): string | undefined {
  if (tag.length > MAX_LANGUAGE_TAG) return undefined;
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    const { language } = new Intl.Locale(canonical);
    return isRegistered(language) ? canonical : undefined;
  } catch {
    return undefined;
  }
}

/** Intl names all two-letter codes, but not all three-letter ones. */
const isRegistered = (language: string) =>
  LANGUAGE.test(language) && (language.length === 3 || NAMES.of(language) !== undefined);

const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A BCP 47 language tag. */
export const IsLanguageTag = (options?: ValidationOptions) =>
  ValidateBy(
    {
      name: 'isLanguageTag',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && canonicalLanguageTag(value) !== undefined,
        defaultMessage: () => '$property must be a BCP 47 language tag, such as `de` or `pt-BR`',
      },
    },
    options,
  );
