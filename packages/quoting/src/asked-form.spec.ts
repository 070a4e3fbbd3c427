import { describe, expect, it } from '@jest/globals';
import { asksPrice, isPriceWord, lacksAskedForm } from './asked-form.js';

const lacks = (question: string, text: string, document = text) =>
  lacksAskedForm(question, { unit: text, around: text, document });

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
    ['Was wiegt das Fahrrad?', 'Das Fahrrad hat sieben Gänge und kostet 900 Euro.'],
    ['合格率は何パーセントですか。', 'B | 全額 | 60,000円'],
    ['Wie viel Prozent zahlt die Firma?', 'Die Firma zahlt 150 Euro im Jahr.'],
    ['What is the phone number of the porter?', 'The porter is there from 8 to 17.'],
    ['전화번호는 무엇인가요?', '15분을 넘기지 않습니다.'],
    ['Wat kost de sauna?', 'Er is een feest.'],
    ['What does the gym cost?', 'Members can leave feedback with the customer desk.'],
    ['Hva koster billetten?', 'Billetten gjelder i to timer.'],
    ['Quanto costa la villa?', 'La villa fu costruita nel 1920 con costanza.'],
    ['What does a flight to Costa Rica cost?', 'The customs of Costa Rica: costumes for 12 days.'],
    ['How heavy may a bag be?', 'A bag costs 20 euros.'],
    ['荷物の重さはどのくらいまでですか', '荷物は500円です。'],
    ['自転車の料金はいくらですか', '自転車のハンドルは三種類です。'],
    ['What percentage does the firm pay?', 'The firm allows 30 euros, from 8:30 on.'],
  ])('finds no answer to %j in %j', (question, text) => {
    expect(lacks(question, text)).toBe(true);
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
    ['Quanto costa la stanza?', 'Il costo è di 120 al mese.'],
    ['Quanto custa o bilhete?', 'O custo é de 12 por dia.'],
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
    ['Cât costă abonamentul?', 'Abonamentul costă 120 pe lună.'],
    ['Quanto costa il corso?', 'Il corso costerà 120 al mese.'],
    ['Quanto costano i corsi?', 'I corsi costeranno 120 al mese.'],
    ['How much does the course cost?', 'It is costing 120 this year.'],
    ['How much does a towel cost?', 'Towels are chargeable.'],
    ['¿Cuánto cuesta el curso?', 'El curso costará 120 al mes.'],
    ['¿Cuánto cuesta el curso?', 'El curso costaba 120 al mes.'],
    ['入場券の料金はいくらですか', '入場券は10EURです。'],
    ['入場券の料金はいくらですか', '入場券は10ユーロです。'],
    ['入場券の料金はいくらですか', '入場券は1万ドルです。'],
    ['입장권 요금은 얼마인가요?', '입장권은 10EUR입니다.'],
    ['门票多少钱？', '门票10欧元。'],
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
    // "How heavy" also asks how hard something is, and "weigh" what it counts.
    ['备份有多重要？', '备份非常重要。'],
    ['如何设置多重身份验证？', '在设置中打开身份验证。'],
    ['Wie schwer ist die Prüfung?', 'Sie ist leicht.'],
    ['Hoe zwaar is de opleiding?', 'De opleiding vraagt 20 uur per week.'],
    ['Jak těžká je zkouška?', 'Zkouška je snadná.'],
    ['Hvor tung er opgaven?', 'Den er let.'],
    ['How heavy is the fine for late return?', 'The fine is 20 euros.'],
    ['How heavy is the workload in the second year?', 'About 30 hours a week.'],
    ['How heavy are the penalties?', 'They range from a warning to exclusion.'],
    ['¿Cuánto pesa el examen en la nota final?', 'El examen vale el 40 % de la nota.'],
    ['What percentile counts as overweight?', 'The 85th and above.'],
    ['Depo kaç kilobayt olabilir?', 'Depo 500 KB olabilir.'],
    ['Wie schwer darf das Paket sein?', 'Höchstens zwei Tonnen.'],
    ['Wie schwer darf das Paket sein?', 'Höchstens drei Pfund.'],
    ['Wie schwer darf das Paket sein?', 'Höchstens einen Zentner.'],
    ['How much does a tablet weigh?', 'A tablet weighs 500 mg.'],
    ['How heavy is the sack?', 'The sack is 2 hundredweight.'],
    ['Combien pèse le pain ?', 'Le pain pèse deux livres.'],
    ['Combien pèse la récolte ?', 'La récolte fait 30 quintaux.'],
    ['¿Cuánto pesa el pan?', 'Pesa dos libras.'],
    ['Quanto pesa la lettera?', 'Pesa un grammo.'],
    ['Quanto pesa la porzione?', 'Pesa due etti.'],
    ['Quanto pesa il bagaglio?', 'Fino a 23 chili, 30 euro.'],
    ['Quanto pesa a mochila?', 'A mochila pesa 1,2 quilos e custa 80 €.'],
    ['Ile waży list?', 'List waży 50 gramów.'],
    ['Ile waży paczka?', 'Paczka ma 30 dag.'],
    ['Ile waży maszyna?', 'Maszyna waży dwie tony.'],
    ['Kolik váží stroj?', 'Stroj váží dvě tuny.'],
    ['Kolik váží balík?', 'Balík váží 20 kil.'],
    ['Vad väger brevet?', 'Brevet väger 3 hekto.'],
    ['Hoeveel weegt het pakket?', 'Het weegt twee pond.'],
    ['Paket kaç kilo olabilir?', 'En fazla 20 kilodur.'],
    ['Сколько весит мешок?', 'Мешок весит 2 центнера.'],
    ['Сколько весит таблетка?', 'Таблетка весит 500 мг.'],
    ['这袋米多重？', '五十斤。'],
    ['这袋米多重？', '重2吨。'],
    ['가방 무게는 얼마인가요?', '무게는 2톤입니다.'],
    ['Was wiegt das Fahrrad?', 'Modell | Gewicht\nFahrrad | 14'],
    // Also beside a price.
    ['荷物の重さはどのくらいまでですか', '荷物は20kgまで500円です。'],
    ['荷物の重さはどのくらいまでですか', '500円の荷物は20kg以内です。'],
    ['가방 무게는 얼마인가요?', '5달러짜리 가방은 23kg까지입니다.'],
    ['가방 무게는 얼마인가요?', '5달러짜리 가방은 14kg입니다.'],
    ['这辆车多重？', '这辆车重2t，售价九千元。'],
    // Nothing shows that another kind of answer is given.
    ['Ile ważny jest bilet miesięczny?', 'Bilet miesięczny za 90 zł jest ważny 30 dni.'],
    ['Combien pèse le fichier PDF ?', 'Le fichier PDF fait 20 Mo.'],
    ['How much does the oral exam weigh?', 'The oral exam counts for a third of the grade.'],
    ['Hoeveel weegt het tentamen mee?', 'Het tentamen telt voor een derde mee.'],
    ['¿Cuánto pesa el trabajo final?', 'El trabajo final vale 4 puntos sobre 10.'],
    ['How heavy is the homework in year 7?', 'The homework takes about an hour a day.'],
    ['How heavy is GSM 300 paper?', 'The paper is 300 gsm.'],
    ['How heavy may the rider be?', 'The weight limit is 120.'],
    ['What percentage of members must agree?', 'Two out of three members must agree.'],
    ['What percentage of members must agree?', 'One in five must agree.'],
    ['What percentage of members must agree?', 'Three fifths must agree.'],
    ['What percentage of members must agree?', 'Every member must agree.'],
    ['What percentage of the fee is refunded?', 'The fee is refunded in full.'],
    ['What percentage of the fee is refunded?', 'The entire fee is refunded.'],
    ['What percentage of the fee is refunded?', 'The fee of 40 euros is completely refunded.'],
    ['What percentage of the fee is refunded?', 'Within 14 days, the entire £40 is refunded.'],
    ['What percentage of the fee is refunded?', 'The fee is not refunded.'],
    ['What percentage of the fee is refunded?', 'No fee is refunded.'],
    ['How many percent of votes does a motion need?', 'A motion needs a simple majority.'],
    ['What percentage of staff work part-time?', 'Part-time staff: 23 pct.'],
    [
      'Wie viel Prozent der Stimmen braucht eine Änderung?',
      'Für eine Änderung ist eine Zweidrittelmehrheit nötig.',
    ],
    ['Wie viel Prozent der Gebühr werden erstattet?', 'Die gesamte Gebühr wird erstattet.'],
    ['Quel pourcentage de l’acompte est rendu ?', 'L’acompte de 40 € n’est pas rendu.'],
    ['¿Qué porcentaje del depósito se devuelve?', 'El depósito de 50 € se devuelve completo.'],
    ['¿Qué porcentaje del depósito se devuelve?', 'El depósito de 50 € no se devuelve.'],
    ['Hoeveel procent van de borg krijg ik terug?', 'De borg van 50 euro krijgt u geheel terug.'],
    ['Сколько процентов залога возвращают?', 'Залог 500 рублей не возвращается.'],
    ['保証金の何パーセントが返金されますか', '保証金5000円は全額返金されます。'],
    ['Quel pourcentage des frais est remboursé ?', 'Les frais sont intégralement remboursés.'],
    ['¿Qué porcentaje del importe se devuelve?', 'Se devuelve el importe íntegro.'],
    ['Quale percentuale della quota viene rimborsata?', 'Viene rimborsata integralmente.'],
    ['Hoeveel procent van de kosten wordt vergoed?', 'Een derde van de kosten wordt vergoed.'],
    ['Hur många procent av avgiften återbetalas?', 'Hela avgiften återbetalas.'],
    ['Ile procent opłaty zwracacie?', 'Opłatę zwracamy w pełnej wysokości.'],
    ['Сколько процентов стоимости возвращают?', 'Возвращают полную стоимость.'],
    ['Yüzde kaç iade edilir?', 'Ücretin çeyreği iade edilir.'],
    ['What percentage of acid is in the mix?', 'Mix acid and water 1:4.'],
    ['Wie viel Prozent müssen zustimmen?', 'Drei von vier Mitgliedern müssen zustimmen.'],
    ['Wie viel Prozent werden erstattet?', 'Der Betrag wird vollständig erstattet.'],
    ['Quel pourcentage est remboursé ?', 'La totalité est remboursée.'],
    ['¿Qué porcentaje se devuelve?', 'Se devuelven dos quintos.'],
    ['Ile procent zwracają?', 'Zwracana jest jedna trzecia.'],
    ['Сколько процентов возвращают?', 'Возвращают треть.'],
    ['Hur många procent återbetalas?', 'En tredjedel återbetalas.'],
    ['Yüzde kaç iade edilir?', 'Tamamı iade edilir.'],
    ['水分占百分之几？', '水分占七成。'],
    ['何パーセント返金されますか。', '半額を返金します。'],
    ['환불은 몇 퍼센트인가요?', '전액 환불됩니다.'],
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
    expect(lacks(question, text)).toBe(false);
  });

  it('takes a number in a table for a price if its document has prices', () => {
    const [question, row] = ['How much does a locker cost?', 'Item | Day | Month\nLocker | 2 | 15'];
    expect(lacks(question, row, `${row}\nAll prices are in euros.`)).toBe(false);
    expect(lacks(question, row)).toBe(true);
  });

  it.each([
    ['Combien coûte la salle ?', 'Salle | Jour\nGrande | 1 200', 'Tarifs en euros'],
    ['Was kostet der Saal?', 'Saal | Tag\nGroß | ab 120', 'Preise in Euro'],
    ['What does the hall cost?', 'Hall | Day\nBig | 120/150', 'Prices in euros'],
    ['What does the hall cost?', 'Hall | Day\nBig | 120*', 'Prices in euros'],
    ['Was kostet der Saal?', 'Saal: 120,00', 'Preise in Euro'],
    [
      'How heavy may a parcel be?',
      'To | Limit | Price\nRome | 20 | 9 €',
      'All weights in kilograms.',
    ],
    ['What percentage is refunded?', 'Fee | Refund\n30 € | 50', 'Refunds in per cent of the fee:'],
  ])('takes a number for what %j asks in %j under %j', (question, text, around) => {
    expect(lacks(question, text, `${around}\n${text}`)).toBe(false);
  });

  it('misses no weight for a price that stands beside', () => {
    const [unit, price] = ['It fits into a letter.', 'Each costs 20 euros.'];
    const around = `${unit} ${price}`;
    expect(lacksAskedForm('How heavy may it be?', { unit, around, document: around })).toBe(false);
  });

  it('takes no time or date for a price', () => {
    const prices = 'All prices are in euros.';
    const times = 'Hall: opens at 15:30\nHall | May 12';
    expect(lacks('What does the hall cost?', times, prices)).toBe(true);
  });
});

describe(asksPrice, () => {
  it('takes a Portuguese question that reads as an Italian one', () => {
    expect(asksPrice('Quanto custa o bilhete?')).toBe(true);
  });
});

describe(isPriceWord, () => {
  it.each(
    'cost price kostet teuer coute coutent stoji стоят коштують ucreti gia vale lira עולה قيمت'.split(
      ' ',
    ),
  )('knows %j, which only asks for a price', (word) => {
    expect(isPriceWord(word)).toBe(true);
  });

  it.each(['charger', 'cena', 'feestzaal', 'payroll', 'fee', 'costume', 'kostum'])(
    'does not take %j for one, which may be what a price is asked of',
    (word) => {
      expect(isPriceWord(word)).toBe(false);
    },
  );
});
