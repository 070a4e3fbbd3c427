/**
 * Forms of "be", "have" and "can", and of the verbs by which a language asks for a name ("wie heißt"),
 * that the lists of stop words lack. Most questions have one of them, whatever they are about.
 */
export const AUXILIARY_WORDS: Readonly<Record<string, string>> = {
  da: 'hedder hed',
  de: 'heißt heißen hieß hießen lautet lauten lautete lauteten',
  el: 'είναι ήταν έχει έχουν είχε είχαν υπάρχει μπορεί μπορούν λέγεται ονομάζεται',
  en: 'does',
  es: 'es son era eran fue fueron ser sido está están estaba estaban estar ha han había habían haber hay tiene tienen tenía tenían puede pueden podía llama llaman llamaba llamaban llamó',
  fr: 'appelle appelait peut peuvent',
  it: 'essere stato stata stati state può possono chiama chiamano chiamava',
  nl: 'zijn waren werden hebben wordt worden kan kunnen heet heten heette',
  no: 'heter het',
  pl: 'jest są był była było były nazywa nazywał nazywała',
  pt: 'é são era eram foi foram ser sido está estão estava estavam há tem têm tinha tinham ter pode podem chama chamava',
  ro: 'e era erau a fost avea numește numea',
  ru: 'является являлся являлась являются называется называлась назывался может могут',
  sv: 'heter hette',
};
