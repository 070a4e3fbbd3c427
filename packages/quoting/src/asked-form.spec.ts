import { describe, expect, it } from '@jest/globals';
import { lacksAskedForm } from './asked-form.js';

describe(lacksAskedForm, () => {
  it.each([
    ['Quanto custa uma embalagem de Dormelina?', 'Embalagens de 10, 14 ou 28 comprimidos.'],
    ['Ile kosztuje pasek napędowy?', 'E-07 | Zerwany pasek napędowy | nr części 45-118'],
    ['How much does a locker cost?', 'There are 40 lockers on the ground floor.'],
    ['Скільки коштує ночівля в садибі?', 'За три кілометри від міста, біля старого млина.'],
    [
      'How much does a locker cost?',
      'Lockers are in the centre. Try to shut them; we are in Europe.',
    ],
    ['Was kostet ein Spind?', 'Spinde stehen am Frankfurter Tor, Mo–Fr; sie schließen in 30 sek.'],
    ['Quanto costa un armadietto?', 'Lei trova 40 armadietti; peso fino a 5 kg.'],
    ['사물함은 가격이 얼마인가요?', '직원은 회원에게 사물함을 보여 줍니다.'],
    ['요리책은 한 권에 얼마인가요?', '고기는 30분 재웁니다.'],
    ['Який номер телефону готелю?', 'Двадцять номерів, двомісний — від 1900 гривень.'],
    ['What does the Starter plan cost per month?', 'Plan | Pages per month\nStarter | 10,000'],
    ['How heavy may a parcel to Sweden be?', 'Country | Price\nSweden | EUR 4.90'],
    ['Combien pèse le Citadin ?', 'Citadin | 69 € | 60 km'],
    ['Was wiegt das Fahrrad?', 'Das Fahrrad hat sieben Gänge.'],
    ['合格率は何パーセントですか。', 'B | 全額 | 60,000円'],
    ['Wie viel Prozent zahlt die Firma?', 'Die Firma zahlt 150 Euro im Jahr.'],
    ['What is the phone number of the porter?', 'The porter is there from 8 to 17.'],
    ['전화번호는 무엇인가요?', '15분을 넘기지 않습니다.'],
  ])('finds no answer to %j in %j', (question, text) => {
    expect(lacksAskedForm(question, text, text)).toBe(true);
  });

  it.each([
    ['Quanto custa uma embalagem de Dormelina?', 'Cada embalagem custa 12,40 €.'],
    ['Ile kosztuje pasek napędowy?', 'Pasek kosztuje 45 złotych.'],
    ['How much does a locker cost?', 'Lockers are free.'],
    ['Was kostet das Frühstück?', 'Frühstück ist im Preis inbegriffen.'],
    ['Was kostet das Frühstück?', 'Das Frühstück ist frei.'],
    ['Was kostet das Frühstück?', 'Es ist im Zimmerpreis enthalten.'],
    ['Was kostet eine Stornierung?', 'Am Tag davor 80 Prozent des Betrags.'],
    ['Was kostet ein Spind?', 'Ein Spind: 50,-'],
    ['How much does parking cost?', 'Parking is complimentary.'],
    ['How much does parking cost?', 'There is no charge.'],
    ['Quanto costa la colazione?', 'È compresa nella camera.'],
    ['Сколько стоит завтрак?', 'Завтрак включён.'],
    ['Сколько стоит завтрак?', 'Завтрак входит в проживание.'],
    ['Vad kostar frukosten?', 'Frukost ingår.'],
    ['Vad kostar frukosten?', 'Frukost 50:-'],
    ['Hvad koster morgenmaden?', 'Morgenmad er inkluderet.'],
    ['Kahvaltının ücreti ne kadar?', 'Kahvaltı dahildir.'],
    ['Ile kosztuje śniadanie?', 'Śniadanie jest w cenie.'],
    ['朝食の料金はいくらですか', '朝食は宿泊に含まれます。'],
    ['조식 요금은 얼마인가요?', '조식은 포함되어 있습니다.'],
    ['조식 가격이 얼마인가요?', '조식은 10달러입니다.'],
    ['Vé giá bao nhiêu?', 'Vé 50.000đ'],
    ['כמה עולה ארון?', 'ארון: 10 דולר'],
    ['كم سعر الخزانة؟', 'الخزانة بعشرة دولارات، 10 دولار'],
    ['Quanto costa un armadietto?', '20 lei'],
    ['What is the phone number of the porter?', 'Porter: 020 7946 0018'],
    ['What is the phone number of the fire brigade?', 'Call 112 for help.'],
    ['Wie lautet die Telefonnummer des Hausmeisters?', 'Hausmeister: Durchwahl 4711.'],
    ['How heavy may a parcel to Sweden be?', 'Parcels of up to 20 kg'],
    ['Was wiegt das Fahrrad?', 'Modell | Gewicht in kg\nFahrrad | 14'],
    ['这个包裹多重？', '包裹重三公斤。'],
    ['合格率は何パーセントですか。', '合格率は約三割です。'],
    ['Wie viel Prozent zahlt die Firma?', 'Die Firma zahlt die Hälfte.'],
    ['氧-18比氧-16重多少?', '氧-18比氧-16重12%。'],
    ['How heavy is traffic at noon?', 'It is moderate.'],
    ['How many lockers are there?', 'There are 40 lockers.'],
    // These ask about a price or a telephone number, not for it.
    ['How do I change my phone number?', 'Open Settings, choose Profile and type the new one.'],
    ['Wie ändere ich meine Telefonnummer?', 'Öffnen Sie die Einstellungen.'],
    ['What is the phone number for?', 'It tells who calls.'],
    ['Який номер телефону вказати?', 'Свій власний.'],
    ['Como desbloqueio o telefone da empresa?', 'Peça ao suporte.'],
    ['What do I do when the cost centre is unknown?', 'Ask the controller.'],
    ['What does the clerk do if a cost is missing?', 'The clerk asks the controller.'],
    ['가격이 왜 올랐나요?', '원료가 부족해서입니다.'],
    ['Fiyatı neden arttı?', 'Hammadde azaldı.'],
    ['ตั๋วราคาเท่ากันไหม', 'ใช่ ทุกใบเหมือนกัน'],
  ])('finds one to %j in %j', (question, text) => {
    expect(lacksAskedForm(question, text, text)).toBe(false);
  });

  it('takes a number in a table for a price if its document has prices', () => {
    const [question, row] = ['How much does a locker cost?', 'Item | Day | Month\nLocker | 2 | 15'];
    expect(lacksAskedForm(question, row, `${row}\nAll prices are in euros.`)).toBe(false);
    expect(lacksAskedForm(question, row, row)).toBe(true);
  });
});
