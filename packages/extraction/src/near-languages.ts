/**
 * Tells apart similar languages, which trigrams confuse, by the letters of each language and by frequent
 * words that differ from those of its neighbours. Codes are ISO 639-3.
 */

/** Letters beside `a` to `z` (all letters for Cyrillic). A language that is not listed may have any. */
const LETTERS: Readonly<Record<string, string>> = {
  bul: 'абвгдежзийклмнопрстуфхцчшщъьюяѝ',
  mkd: 'абвгдѓежзѕијклљмнњопрстќуфхцчџшѐѝ',
  rus: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  srp: 'абвгдђежзијклљмнњопрстћуфхцчџшčćđšž',
  ukr: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
  bel: 'абвгдеёжзійклмнопрстуўфхцчшыьэюя',
  dan: 'æøåé',
  nob: 'æøåéèêóòô',
  swe: 'åäöé',
  por: 'áâãàçéêíóôõúü',
  glg: 'áéíïñóúü',
  spa: 'áéíñóúü',
  ind: 'é',
  zlm: 'é',
  ces: 'áčďéěíňóřšťúůýž',
  slk: 'áäčďéíĺľňóôŕšťúýž',
  hrv: 'čćđšž',
  slv: 'čšž',
};

/** Frequent words of groups of similar languages; words common to a whole group are ignored. */
const WORDS: readonly Readonly<Record<string, string>>[] = [
  {
    bul: 'да се са ще че като може този тази това тези след преди или който която които при ги го му ѝ си ни ви във със е най още има няма беше само всеки всяка ако когато',
    mkd: 'да се ќе дека како може овој оваа ова овие по пред или кој која кои при ги го му ѝ си во со е нај уште има нема беше само секој секоја ако кога од сè сите',
    rus: 'что это как для его её ее их после перед или который которая которые при они он она мы вы из к о же бы ещё еще есть нет был была были только каждый если когда не от чтобы во со все всё уже у может',
    srp: 'да се ће као може овај ова ово ови после пре или који која које при га му си у са је још има нема био само сваки ако када од су што није би све кад из к',
    ukr: 'що це як для його її їх після перед або який яка які при вони він вона ми ви із до та бути ще є немає був була були тільки кожен якщо коли не від щоб у й і зі усі вже може',
    bel: 'што гэта як для яго яе іх пасля перад або які якая якія пры яны ён яна мы вы з да і быць яшчэ ёсць няма быў была былі толькі кожны калі не ад каб у ці',
  },
  {
    dan: 'af hvad uden meget mig dig sig nogle noget nogen efter blev bliver blive at nu mellem hende op ud igen måde end ikke også fra være hver når og er der eller ellers sine deres skal hvordan hvis jeg inden før',
    nob: 'av hva uten mye meg deg seg noen noe etter ble blir bli å nå mellom henne opp ut igjen måte enn ikke også fra være hver når og er eller ellers sine deres skal hvordan hvis jeg innen før må ingen annen',
    swe: 'av och att inte är från till vid när hur vad utan mycket någon något några efter blev blir bli nu mellan henne upp ut igen sätt än också vara varje ska eller annars sina deras jag inom innan måste ingen så om till',
  },
  {
    por: 'não uma um os dos das do da em com pelo pela ao é são foi mais também seu sua seus suas ou isso já quando até após muito ele ela e o a na no nos nas antes você',
    glg: 'non unha un os dos das do da en con polo pola ao á é son foi máis tamén seu súa seus súas ou iso xa cando ata despois moi el ela e o a na no nos nas antes lle nun nunha',
    spa: 'no una un los las del el la en con por al es son fue más también su sus o eso ya cuando hasta después muy él ella y lo le les como antes se si',
    cat: 'no una un els les del el la en amb per al és són va més també seu seva o això ja quan fins després molt ell ella i lo li com abans es si què',
  },
  {
    ind: 'bisa karena bahwa dapat harus ketika para silakan sebuah seorang tersebut secara setelah merupakan berbeda hanya uang kantor perusahaan mobil pun saat sebab mau',
    zlm: 'boleh kerana bahawa apabila mesti selepas sekiranya sila ialah daripada baharu sahaja wang pejabat syarikat kereta perlu tiada masa manakala hendaklah berbeza sehingga selagi mahu',
  },
  {
    ces: 'se jsou jako nebo není když pro při byl být také ve ze který která které jen pokud jsem zda až si a jak bez má nad což tím nám jinak před',
    slk: 'sa sú ako alebo nie keď pre pri bol byť tiež vo zo ktorý ktorá ktoré len ak som či až si a ako bez má nad čo tým nám inak pred kým',
    pol: 'się są jako lub nie gdy dla przy był być też we ze który która które tylko jeśli jestem czy aż i jak bez ma nad co tym nam przed',
    slv: 'se so kot ali ni ko za pri bil biti tudi v iz ki le če sem da in kako brez ima nad kar tem nam pred',
  },
  {
    hrv: 'tko nitko netko prije poslije uvijek gdje ovdje čovjek vrijeme djeca dvije mjesto mjesec mjesečno dio svijet lijepo nedjelja nedjelje riječ mjera cijena tijekom također kad sustav tvrtka tjedan uvjet uvjeti mogu bi općina tisuća opći svatko obitelj',
    srp: 'ko niko neko pre posle uvek gde ovde čovek vreme deca dve mesto mesec mesečno deo svet lepo nedelja nedelje reč mera cena tokom takođe kada sistem preduzeće nedelju uslov uslovi mogu bi opština hiljada opšti svako porodica',
    slv: 'kdo nihče nekdo prej potem vedno kje tukaj človek čas otroci dve mesto mesec mesečno del svet lepo nedelja beseda mera cena med tudi ko sistem podjetje teden pogoj lahko bi ali ki je in',
  },
];

/** The old sound that Croatian writes as "ije" or "je", and Serbian as "e". */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  hrv: /[bcčdfghklmnprsštvzž]ije(?!nt)[bcčdghklmnprsštvzž]|(?:mjes|vjer|djel|cjel|svjet|bjel|sjed)/g,
};

const NOTHING = /(?!)/g;

/**
 * A foreign name does not exclude a language. Cyrillic ones are written in the language's own letters,
 * and the letters that most tell them apart are rare.
 */
const MIN_FOREIGN = 2;
const MIN_FOREIGN_CYRILLIC = 1;
const MIN_FOREIGN_SHARE = 0.01;
/** Letters that some Latin or Cyrillic alphabet has beside the basic ones. */
const MARKED = /[\u00df-\u024f\u0400-\u052f]/g;
const CYRILLIC = /[\u0400-\u052f]/;

const letterSets = new Map(
  Object.entries(LETTERS).map(([language, letters]) => [language, new Set(letters)]),
);
const wordSets = WORDS.map(
  (group) =>
    new Map(
      Object.entries(group).map(([language, words]) => [language, new Set(words.split(' '))]),
    ),
);

/** The languages that are excluded because the text has enough letters they lack. */
export function excludeByLetters(text: string): ReadonlySet<string> {
  const lowerCase = text.toLowerCase();
  const marked = lowerCase.match(MARKED) ?? [];
  const letters = lowerCase.match(/\p{L}/gu)?.length ?? 0;
  const isCyrillic = CYRILLIC.test(marked.join(''));
  const least = isCyrillic ? MIN_FOREIGN_CYRILLIC : MIN_FOREIGN;
  const enough = Math.max(least, MIN_FOREIGN_SHARE * letters);
  const excluded = [...letterSets].filter(
    ([, own]) => marked.filter((letter) => !own.has(letter)).length >= enough,
  );
  return new Set(excluded.map(([language]) => language));
}

/**
 * Counts, for each language similar to the given one, the words of a text that are in its list or match
 * its pattern.
 *
 * @returns undefined for a language without similar ones
 */
export function countVotesAmongNear(
  text: string,
  language: string,
): readonly (readonly [language: string, votes: number])[] | undefined {
  const groups = wordSets.filter((group) => group.has(language));
  const lowerCase = text.toLowerCase();
  const words = lowerCase.match(/[\p{L}\p{M}]+/gu) ?? [];
  const countVotes = (other: string, list: ReadonlySet<string>) =>
    words.filter((word) => list.has(word)).length +
    (lowerCase.match(PATTERNS[other] ?? NOTHING)?.length ?? 0);
  // A language may be in two groups, as Serbian has two scripts; the group with more words counts.
  const counted = groups.map((group) =>
    [...group].map(([other, list]) => [other, countVotes(other, list)] as const),
  );
  return counted
    .sort((one, other) => sumVotes(other) - sumVotes(one))[0]
    ?.sort(([, one], [, other]) => other - one);
}

const sumVotes = (votes: readonly (readonly [string, number])[]): number =>
  votes.reduce((sum, [, count]) => sum + count, 0);
