import { describe, expect, it } from '@jest/globals';
import { separateQuestions } from './separate-questions.js';

const askedIn = (message: string, earlier: string[] = []) =>
  separateQuestions(message, earlier).map(({ asked }) => asked);

describe(separateQuestions, () => {
  it.each([
    ['What does a canoe cost per day?', 'Do you also rent skis?'],
    ['Wo kann ich parken?', 'Was kostet die Jahreskarte?'],
    ['图书馆几点开门？', '借书证多少钱？'],
  ])('finds two in sentences: %j and %j', (first, second) => {
    expect(askedIn(`${first} ${second}`)).toEqual([first, second]);
  });

  it.each([
    ['How long is the return period', 'and how many vacation days do employees have?'],
    ['Wann bekomme ich ein Dienstrad', 'und wer zahlt die Versicherung?'],
    ['Combien coûte le trimestre', 'et combien de temps durent les cours ?'],
    ['¿Cuánto cuesta el desplazamiento', 'y cuánto la visita si no hay avería?'],
    ['Quando apre la biblioteca', 'e quanto costa la tessera?'],
    ['Wat kost een jaarkaart', 'en hoe lang is het zwembad open?'],
    ['Ile kosztuje karnet', 'i gdzie można go kupić?'],
    ['Berapa harga tiket masuk', 'dan kapan museum tutup?'],
    ['متى يفتح فرع خلدا يوم الجمعة', 'ومتى يفتح يوم الخميس؟'],
    ['Faturaya ne kadar sürede itiraz edebilirim', 've inceleme kaç gün sürer?'],
    ['Kelasnya diadakan kapan', 'dan biayanya berapa?'],
    ['Vé vào cổng giá bao nhiêu', 'và bảo tàng đóng cửa lúc mấy giờ?'],
    ['संग्रहालय का टिकट कितने का है', 'और संग्रहालय कब बंद होता है?'],
    ['כמה עולה כרטיס שנתי', 'ומתי הספרייה סגורה?'],
  ])('finds two in one sentence: %j, %j', (first, second) => {
    expect(askedIn(`${first} ${second}`)).toEqual([first, second]);
  });

  it('takes hardly longer for white space than for letters', () => {
    const timeOf = (between: string) => {
      const times = Array.from({ length: 3 }, () => {
        const start = performance.now();
        separateQuestions(`What does it cost for all of you${between}you?`, []);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // A sentence is cut at 4,000 characters.
    const length = 3800;
    expect(timeOf(' '.repeat(length))).toBeLessThan(20 * timeOf('ab'.repeat(length / 2)));
  });

  it('finds two whatever white space stands between them', () => {
    const [first, second] = ['How long is the return period', 'and what does a parcel cost?'];
    expect(askedIn(`${first} \t  ${second}`)).toEqual([first, second]);
  });

  it.each([
    'What do a canoe and a kayak cost?',
    'Kart ve anahtar kaç lira?',
    'I lost my card and what now?',
    'Can you help me? How do I block a lost card?',
    'How do I change the filter? Any ideas?',
    'who and what is Tarnwell?',
    'Phí gửi xe được tính như thế nào cho xe máy?',
    'Khi mất thẻ thì làm thế nào để khóa thẻ?',
    'Khi mất thẻ và chìa khóa xe thì phải báo cho ai?',
    'Ücret nakit mi ya da kartla mı ödenir?',
    'Kart kaybolduğu zaman ve çalındığı zaman nereye başvurmalıyım?',
    'Where? When? How? Why?',
    '🔑',
    '?',
  ])('leaves %j as it is', (message) => {
    expect(separateQuestions(message, [])).toHaveLength(1);
  });

  it('searches each with the story, and one that goes on from another with that', () => {
    const story = 'We are visiting my sister with two kids.';
    const [first, second] = ['What does a kayak cost?', 'And how big is the deposit?'];
    expect(separateQuestions(`${story} ${first} ${second}`, [])).toEqual([
      { asked: first, context: [], text: `${story}\n${first}` },
      { asked: second, context: [first], text: `${story}\n${second}\n${second}\n${first}` },
    ]);
  });

  it.each([
    ['Notice period for a flex desk?', 'And for a studio?', 'Notice period for a studio?'],
    [
      'What is the notice period for a flex desk?',
      'And a studio?',
      'What is the notice period for a studio?',
    ],
    ['Is a deposit due for a locker?', 'For a loft?', 'Is a deposit due for a loft?'],
    [
      'How long does a parcel to Denmark take?',
      'And to Norway?',
      'How long does a parcel to Norway take?',
    ],
    [
      'Wie hoch ist die Kaution für eine Geige?',
      'Und für ein Cello?',
      'Wie hoch ist die Kaution für ein Cello?',
    ],
    ['Frist für den Kurs Klavier?', 'Und für den Chor?', 'Frist für den Chor?'],
    [
      'Was kostet die Miete für den großen Saal?',
      'Und für das Studio?',
      'Was kostet die Miete für das Studio?',
    ],
    [
      'Quel est l’acompte pour une grange ?',
      'Et pour un studio ?',
      'Quel est l’acompte pour un studio ?',
    ],
    [
      '¿Qué anticipo se pide para una parcela?',
      '¿Y para un estudio?',
      '¿Qué anticipo se pide para un estudio?',
    ],
    [
      'Quante foto servono per il passaporto?',
      'E per la patente?',
      'Quante foto servono per la patente?',
    ],
    ['Qual é a caução para a bicicleta?', 'E para o barco?', 'Qual é a caução para o barco?'],
    [
      'Wat is de opzegtermijn voor zwemles?',
      'En voor aquajoggen?',
      'Wat is de opzegtermijn voor aquajoggen?',
    ],
    ['Jaka jest kaucja za rower?', 'A za żaglówkę?', 'Jaka jest kaucja za żaglówkę?'],
    [
      'Care este garanția pentru o cameră?',
      'Și pentru un apartament?',
      'Care este garanția pentru un apartament?',
    ],
    ['Какой залог для комнаты?', 'А для студии?', 'Какой залог для студии?'],
  ])('asks %j of another thing: %j', (first, second, completed) => {
    expect(separateQuestions(`${first} ${second}`, [])).toEqual([
      { asked: first, context: [], text: first },
      { asked: completed, context: [], text: completed },
    ]);
  });

  it('asks the same of a third thing', () => {
    const message = 'Notice period for a flex desk? And for a studio? And for a roof?';
    expect(askedIn(message)).toEqual([
      'Notice period for a flex desk?',
      'Notice period for a studio?',
      'Notice period for a roof?',
    ]);
  });

  it.each([
    ['How much does a kayak cost?', 'And a large canoe?'],
    ['Is there parking at the yard?', 'And is it free of charge?'],
    ['Can a member bring a dog?', 'And a cat?'],
    ['What is due for a locker?', 'And for a loft do I pay more?'],
    ['Notice period for a flex desk?', 'And for how long can I pause it?'],
    ['Où est la consigne ?', 'Et pour un vélo ?'],
    // The last word may be what is asked.
    ['How much does a locker for a bike cost?', 'And for a scooter?'],
    ['How long is a ticket for adults valid?', 'And for children?'],
    ['Is smoking in the yard allowed?', 'And in the garden?'],
    ['¿Es la entrada para estudiantes gratis?', '¿Y para adultos?'],
    ['Вход для детей бесплатный?', 'А для взрослых?'],
    ['Czy wstęp dla dzieci bezpłatny?', 'A dla dorosłych?'],
    // Another thing is asked of the same subject.
    ['How long is the course for beginners?', 'And the price?'],
    ['Wann beginnt der Kurs?', 'Und der Preis?'],
    ['Dove si trova il negozio?', 'E il numero di telefono?'],
    // It is asked for what would be replaced.
    ['À quelle heure ouvre la piscine ?', 'Et à Noël ?'],
    ['A che ora apre la piscina?', 'E a Natale?'],
    ['For how long is a visa valid?', 'And for children?'],
    ['At what time does the shop open?', 'And at weekends?'],
    // What is replaced goes on behind.
    ['What is the deadline for returning a book?', 'And for a DVD?'],
    ['Quel est le délai pour rendre un livre ?', 'Et pour un DVD ?'],
    ['Welche Frist gilt für das Zurückgeben eines Buches?', 'Und für eine DVD?'],
    ['What discount is there for children under 12?', 'And for students?'],
    ['Welche Frist gilt für den Kurs Klavier Stufe 2?', 'Und für den Chor?'],
    ['How long is the trip to the Isle of Man?', 'And to Jersey?'],
    ['Is the pool open on the 3rd of May?', 'And on the 4th of June?'],
    ['Who pays for the repair of a broken window?', 'And for a lost key?'],
    ['What is the fee for members who pay late?', 'And for guests?'],
    ['What is the deposit for a bike, a helmet and a lock?', 'And for a trailer?'],
    ['Quel est le prix d’un arc-en-ciel ?', 'Et d’un nuage ?'],
    ['Is there a fee for ATM withdrawals abroad?', 'And for card payments?'],
    ['What is the deposit for a room with a balcony?', 'And for a suite?'],
    // It need not be of the kind that would be replaced.
    ['What is the deposit for a room?', 'And for the weekend?'],
    ['What is the deposit for the room?', 'And for the weekend?'],
    ['What is the deposit for a room?', 'And for a week?'],
    ['What is the rent for a studio?', 'And for two months?'],
    ['What is the rent for studios?', 'And for two months?'],
    ['What is the rent for studios?', 'And for 2 months?'],
    ['What is the price for a room?', 'And for children?'],
    ['Darf ich im Garten grillen?', 'Und im Winter?'],
    ['Wie hoch ist die Kaution für das Zimmer?', 'Und für einen Monat?'],
    ['Quel est le délai pour un colis ?', 'Et pour la Suisse ?'],
    ['Quel est le délai pour les colis ?', 'Et pour la Suisse ?'],
    ['¿Cuál es el horario en la piscina?', '¿En el hotel?'],
    ['Jaki jest termin na zwrot książki?', 'A na płytę?'],
    ['会議室のキャンセル期限はいつですか？', 'ではスタジオは？'],
  ])('leaves what %j asks in the context of %j', (first, second) => {
    const [, question] = separateQuestions(`${first} ${second}`, []);
    expect(question).toMatchObject({ asked: second, context: [first] });
  });

  it('completes a single question by the conversation', () => {
    const before = 'How long does a standard parcel to Denmark take?';
    expect(separateQuestions('and to Norway?', [before])).toEqual([
      {
        asked: 'and to Norway?',
        context: [before],
        text: `and to Norway?\nand to Norway?\n${before}`,
      },
    ]);
  });
});
