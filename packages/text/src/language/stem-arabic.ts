/**
 * Light stemming ("light10", Larkey, Ballesteros and Connell): removes the article with the particles before it,
 * and the most frequent endings. The inside of a word stays as it is.
 */
const ARTICLES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const ENDINGS = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];
const AND = 'و';
const MIN_STEM = 2;
const MIN_STEM_AFTER_AND = 3;

/** @param word with folded letters */
export function stemArabic(word: string): string {
  const article = ARTICLES.find(
    (one) => word.startsWith(one) && word.length - one.length >= MIN_STEM,
  );
  let stem = word.slice(article?.length ?? 0);
  if (!article && stem.startsWith(AND) && stem.length > MIN_STEM_AFTER_AND) stem = stem.slice(1);
  for (const ending of ENDINGS) {
    if (stem.endsWith(ending) && stem.length - ending.length >= MIN_STEM) {
      stem = stem.slice(0, -ending.length);
    }
  }
  return stem;
}
