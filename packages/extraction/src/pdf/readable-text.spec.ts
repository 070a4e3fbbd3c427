import { describe, expect, it } from '@jest/globals';
import { isReadable } from './readable-text.js';

const ENGLISH =
  'Pressure relief valves open at four bar and close again at three. They are looked after twice a year by people who know how to. Whoever finds one that leaks tells the workshop on the same day. The workshop answers within two hours and sends somebody who brings a new valve along.';
const ARABIC =
  'تعتبر صمامات تخفيف الضغط من الأجزاء المهمة في المصنع. يتم فحص كل صمام مرتين في السنة من قبل العاملين الذين يعرفون كيفية القيام بذلك. من يجد صماما به تسرب يخبر الورشة في نفس اليوم. ترد الورشة خلال ساعتين وترسل من يحضر صماما جديدا معه إلى المكان المطلوب في المصنع.';
const RUSSIAN =
  'Предохранительные клапаны открываются при четырёх барах и снова закрываются при трёх. Их проверяют дважды в год люди, которые умеют это делать. Кто найдёт клапан, который протекает, сообщает об этом в мастерскую в тот же день. Мастерская отвечает в течение двух часов.';
const GERMAN =
  'Überdruckventile öffnen bei vier Bar und schließen wieder bei drei. Sie werden zweimal im Jahr von Leuten gewartet, die wissen, wie das geht. Wer ein undichtes Ventil findet, sagt es am selben Tag der Werkstatt. Die Werkstatt antwortet innerhalb von zwei Stunden und schickt jemanden.';
const HEBREW =
  'שסתומי לחץ נפתחים בארבעה בר ונסגרים שוב בשלושה. הם נבדקים פעמיים בשנה על ידי אנשים שיודעים איך לעשות זאת. מי שמוצא שסתום דולף מודיע על כך לבית המלאכה באותו היום. בית המלאכה עונה תוך שעתיים ושולח מישהו שמביא איתו שסתום חדש אל המקום שבו הוא נדרש במפעל הגדול.';
const CHINESE = '安全阀在四巴时打开，在三巴时再次关闭。每年由懂得如何操作的人检查两次。'.repeat(8);

/** Simulates a font that maps letters to others some places further on. */
const shifted = (text: string, places: number) =>
  Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code <= 0x20 ? char : String.fromCodePoint(Math.max(0x21, code + places));
  }).join('');
/** The letters of an alphabet in another order. */
const exchanged = (text: string, first: number, last: number) =>
  Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < first || code > last) return char;
    return String.fromCodePoint(first + (((code - first) * 5 + 7) % (last - first + 1)));
  }).join('');

describe(isReadable.name, () => {
  it.each([
    ['English', ENGLISH],
    ['English in capitals', ENGLISH.toUpperCase()],
    ['German', GERMAN],
    ['Russian', RUSSIAN],
    ['Arabic', ARABIC],
    ['Arabic with lengthened words', ARABIC.replace(/ي/g, 'يـــــ')],
    ['Hebrew', HEBREW],
    ['Chinese', CHINESE],
    ['a short text', shifted('Pressure relief valves', -29)],
    ['numbers of parts', 'ZX-4711 KXQ77 BBB PQR-12X 88Z-QQW '.repeat(20)],
    [
      'names',
      'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores',
    ],
    [
      'code',
      'export function readTrigrams(): Map<string, number[]> { const found = new Map(); for (const languages of Object.values(data)) { for (const trigrams of Object.values(languages)) { for (const trigram of trigrams.split("|")) { const known = found.get(trigram); if (known) known.push(count); else found.set(trigram, [count]); } } } return found; }',
    ],
  ])('takes %s for what it is', (_, text) => {
    expect(isReadable(text)).toBe(true);
  });

  it.each([
    ['English by the numbers of its letters in the font', shifted(ENGLISH, -29)],
    ['English moved on by one', shifted(ENGLISH, 1)],
    ['English with other letters', exchanged(ENGLISH.toLowerCase(), 0x61, 0x7a)],
    ['German with other letters', exchanged(GERMAN.toLowerCase(), 0x61, 0x7a)],
    ['Russian with other letters', exchanged(RUSSIAN.toLowerCase(), 0x430, 0x44f)],
    ['Russian as Latin letters', shifted(RUSSIAN, -0x350)],
    ['Arabic with other letters', exchanged(ARABIC, 0x627, 0x64a)],
    ['Arabic as Latin letters', shifted(ARABIC, -0x560)],
    ['Arabic in which several letters are one', ARABIC.replace(/ي/g, 'ووو')],
    ['Hebrew with other letters', exchanged(HEBREW, 0x5d0, 0x5ea)],
  ])('knows %s by its letters', (_, text) => {
    expect(isReadable(text)).toBe(false);
  });
});
