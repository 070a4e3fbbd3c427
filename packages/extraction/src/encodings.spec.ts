import { describe, expect, it } from '@jest/globals';
import type { ReaderWarning } from './block.js';
import { decodeText } from './decode-text.js';
import { Unreadable } from './unreadable.js';

const CZECH =
  'Vážený zákazníku, Vaši objednávku jsme přijali a zboží odešleme nejpozději do tří pracovních dnů. Pokud zboží nebude odpovídat Vašim představám, můžete je vrátit do čtrnácti dnů od převzetí bez udání důvodu. Peníze Vám vrátíme stejným způsobem, jakým jste platili. Náklady na vrácení zboží hradí zákazník, není-li dohodnuto jinak. Děkujeme, že nakupujete u nás.';
const RUSSIAN =
  'Уважаемый покупатель, ваш заказ принят и будет отправлен в течение трёх рабочих дней. Если товар вам не подойдёт, вы можете вернуть его в течение четырнадцати дней после получения без объяснения причин. Деньги мы вернём тем же способом, которым вы платили. Стоимость обратной доставки оплачивает покупатель, если не оговорено иное. Спасибо за покупку.';
const GERMAN =
  'Sehr geehrte Kundin, wir haben Ihre Bestellung über 250 € erhalten und schicken Ihnen die Ware spätestens in drei Tagen. Sollte sie Ihnen nicht gefallen, können Sie sie binnen vierzehn Tagen „ohne Angabe von Gründen“ zurückgeben. Das Geld überweisen wir auf demselben Weg zurück. Die Kosten der Rücksendung trägt der Käufer – außer bei Mängeln. Größere Stücke holen wir für Sie ab.';
const GREEK =
  'Αγαπητέ πελάτη, η παραγγελία σας έχει παραληφθεί και θα αποσταλεί το αργότερο σε τρεις εργάσιμες ημέρες. Εάν το προϊόν δεν σας ικανοποιεί, μπορείτε να το επιστρέψετε μέσα σε δεκατέσσερις ημέρες από την παραλαβή χωρίς αιτιολόγηση. Τα χρήματα επιστρέφονται με τον ίδιο τρόπο που πληρώσατε. Τα έξοδα της επιστροφής πληρώνει ο πελάτης. Άλλες ερωτήσεις απαντώνται στο κατάστημα.';
const HEBREW =
  'לקוח יקר, הזמנתך התקבלה ותישלח לכל המאוחר תוך שלושה ימי עבודה. אם המוצר אינו מתאים לך, תוכל להחזיר אותו תוך ארבעה עשר ימים מיום הקבלה ללא הסבר. הכסף יוחזר באותה הדרך שבה שילמת. עלות המשלוח חזרה תחול על הקונה, אלא אם סוכם אחרת. תודה שקנית אצלנו. שאלות נוספות אפשר לשאול בחנות או בטלפון בימים ראשון עד חמישי בין השעות תשע לחמש אחר הצהריים, וגם בדואר.';
const ARABIC =
  'عزيزي العميل، لقد استلمنا طلبك وسوف نرسل البضاعة خلال ثلاثة أيام عمل على الأكثر. إذا لم تعجبك البضاعة يمكنك إعادتها خلال أربعة عشر يوما من تاريخ الاستلام دون ذكر الأسباب. سوف نعيد المبلغ بنفس الطريقة التي دفعت بها. يتحمل المشتري تكاليف الإرجاع ما لم يتفق على غير ذلك. شكرا لشرائك من متجرنا ونتمنى أن نراك مرة أخرى قريبا في المتجر أو على الهاتف.';
const JAPANESE =
  'お客様へ。ご注文をお受けしました。商品は三営業日以内に発送いたします。商品がお気に召さない場合は、お受け取りから十四日以内であれば理由を問わず返品できます。代金はお支払いと同じ方法で返金いたします。返送の費用は、別の取り決めがない限りお客様のご負担となります。ご購入ありがとうございました。ご質問は店舗または電話でお受けしています。';
const CHINESE =
  '尊敬的顾客，您的订单已经收到，我们将在三个工作日之内发货。如果您对商品不满意，可以在收到之后十四天内无理由退货。货款将按照您付款的方式退还。除另有约定外，退货的运费由买方承担。感谢您在本店购物。如有其他问题，请在营业时间到店里或者打电话询问，我们的工作人员会尽快答复您。大件商品由我们上门取货。';
const TRADITIONAL_CHINESE =
  '尊敬的顧客，您的訂單已經收到，我們將在三個工作日之內出貨。如果您對商品不滿意，可以在收到之後十四天內無理由退貨。貨款將按照您付款的方式退還。除另有約定外，退貨的運費由買方承擔。感謝您在本店購物。如有其他問題，請在營業時間到店裡或者打電話詢問，我們的工作人員會盡快答覆您。大件商品由我們上門取貨。';
const KOREAN =
  '고객님, 주문이 접수되었으며 상품은 영업일 기준 사흘 안에 발송됩니다. 상품이 마음에 들지 않으시면 받으신 날부터 십사 일 안에 이유 없이 반품하실 수 있습니다. 대금은 결제하신 방법 그대로 돌려 드립니다. 별도의 약속이 없으면 반송 비용은 고객님이 부담하십니다. 구매해 주셔서 감사합니다. 다른 질문은 매장이나 전화로 받습니다.';

const BYTES = new Map<string, ReadonlyMap<string, number[]>>();

/** The bytes of each character of an encoding of one or two bytes, by what its decoder makes of them. */
function listBytes(encoding: string): ReadonlyMap<string, number[]> {
  const known = BYTES.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding);
  const bytes = new Map<string, number[]>();
  for (let first = 0xff; first >= 0x80; first--) {
    for (let second = 0xff; second >= 0x40; second--) {
      bytes.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
    }
  }
  for (let byte = 0; byte < 0x100; byte++) bytes.set(decoder.decode(Uint8Array.of(byte)), [byte]);
  BYTES.set(encoding, bytes);
  return bytes;
}

const encode = (text: string, encoding: string): Buffer =>
  Buffer.from([...text].flatMap((char) => listBytes(encoding).get(char) ?? []));

const collectWarnings = (content: Uint8Array) => {
  const warnings: ReaderWarning[] = [];
  decodeText(content, { warn: (warning) => warnings.push(warning) });
  return warnings;
};

describe('the encoding of a text of some hundred characters', () => {
  it.each([
    ['windows-1250', CZECH],
    ['windows-1251', RUSSIAN],
    ['windows-1252', GERMAN],
    ['windows-1253', GREEK],
    ['iso-8859-7', GREEK],
    ['windows-1255', HEBREW],
    ['windows-1256', ARABIC],
    ['koi8-r', RUSSIAN],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['gb18030', CHINESE],
    ['big5', TRADITIONAL_CHINESE],
    ['euc-kr', KOREAN],
  ])('is found, and sure: %s', (encoding, text) => {
    const bytes = encode(text, encoding);
    expect(decodeText(bytes)).toBe(text);
    expect(collectWarnings(bytes)).toEqual([]);
  });

  it.each([
    ['Thai', 'windows-874', 'ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังจากวันที่ซื้อสินค้า โปรดนำใบเสร็จมาด้วย'],
    ['a short Korean table', 'euc-kr', '품목,가격\n사과,1500\n배,2000\n포도,3500\n'],
  ])('is found though it is not guessed: %s', (_, encoding, text) => {
    expect(decodeText(encode(text, encoding))).toBe(text);
  });

  it('is found: that of DOS', () => {
    const bytes = Buffer.from('Geb\x81hr f\x81r Sch\x81ler und Gr\x94\xe1ere', 'latin1');
    expect(decodeText(bytes)).toBe('Gebühr für Schüler und Größere');
    const shorter = Buffer.from('Wir k\x94nnen das nicht \x84ndern', 'latin1');
    expect(decodeText(shorter)).toBe('Wir können das nicht ändern');
  });

  it.each([JAPANESE, CHINESE, TRADITIONAL_CHINESE, KOREAN])(
    'is found: UTF-16 without a mark, %#',
    (text) => {
      expect(decodeText(Buffer.from(text, 'utf16le'))).toBe(text);
      expect(decodeText(Buffer.from(text, 'utf16le').swap16())).toBe(text);
    },
  );
});

/** Each is in windows-1252 unless it says another. */
const SIGNS_AMONG_LATIN: readonly (readonly [text: string, encoding?: string])[] = [
  ['If you don’t like it, you’ll get the customer’s money back within thirty days. '.repeat(3)],
  ['We don’t ship on Sundays.'],
  ['The customers’ orders, O’Brien’s and those of the ’90s'],
  ['A;10 €\nB;20 €\n'],
  ['A;€10\nB;€ 20.50\n'],
  ['Prices in k€: 5k€ net, 7,50€/m²'],
  ['Standard;£5\nExpress;£12.50\n'],
  ['Item — description'],
  ['Opening hours: Monday–Friday, 9–17'],
  ['One word—another word'],
  ['• First point\n• Second point\n•Third'],
  ['Copyright © 2024 Acme. All rights reserved.'],
  ['©2024 Acme, (©) ©Acme'],
  ['½ cup sugar\n1½ cups flour\n¾ pint of milk\n'],
  ['Keep below 20°C'],
  ['Oven: 180 °C / 350 °F, angle 45°'],
  ['Acme™ Widget®'],
  ['See § 5 and §7, room 3 × 4 m, ±5 %'],
  ['He said “yes” and ‘no’ … “Why?” she asked…'],
  ['Lamp; 10\u00a0000 pieces.\u00a0 Next'],
  ['We met at the café on Monday to talk about the delivery of the chairs.'],
  ['Please send your résumé to our office before the end of the month.'],
  ['It would be naïve to expect that every order arrives within a day.'],
  ['The dessert is a crème brûlée, the starter a salad with jalapeño.'],
  ['The office in São Paulo answers questions of customers in the whole country.'],
  ['The façade of the house in Zürich was painted last year.'],
  ['Das ist „richtig“ – und 5 € günstiger…'],
  ['Er sagte: »Nein« und ging. Das geht’s nicht, so ist’s'],
  ['L’été, c’est « bientôt » : qu’il vienne… 10 €'],
  ['Le cœur, la sœur, l’œuvre et le bœuf'],
  ['C\u0153ur;10\u00a0€\nB\u0153uf;12\u00a0€\n'],
  ['¿Qué pasa? ¡No lo sé! “Mañana” — dijo'],
  ['1º piso, 2ª planta, nº 5'],
  ['L’azienda dell’anno: un’altra, “però” non c’è'],
  ['‘s Morgens zei hij: “Ik heb ’t niet” – foto’s en auto’s'],
  ['“Não”, disse ela – “amanhã às 10”… 2º andar'],
  ['Han sade ”nej” – och gick på en gång'],
  ['»Nej«, sagde han – og gik på én gang'],
  ['Þetta er íslenska. Það er gott að búa á Íslandi og við erum öll ánægð með það.'],
  ['Nafn;Staður\nÞórður;Ísafjörður\nGuðrún;Reykjavík\n'],
  ['STRASSE;KÖLN\nMÜNCHEN;DÜSSELDORF\n'],
  ['PRÉNOM;VILLE\nHÉLÈNE;ORLÉANS\n'],
  ['AÑO;DIRECCIÓN\nESPAÑA;MÁLAGA\n'],
  ['L’ÉTÉ À LA PLAGE — PRIX RÉDUITS'],
  ['Name;Stadt\nSjöberg – Ísafjörður;Hafnarfjörður\n'],
  ['Guð blessi Ísland. Já, það er rétt hjá þér.'],
  ['We don´t ship on Sundays; it´s closed.'],
  ['A text with soft\u00adhyphens, cus\u00adtomers and or\u00adders'],
  ['Pipe;Ø 5 mm\nRatio;6 ÷ 2\nDose;5 µg\n'],
  ['§§ 1, 2 and Abs. 3 ¶'],
  ['Lago di Como: c’è;è\n'],
  ['The ñ is a letter of Spanish, the é one of French.'],
  ['Name;Town\nGarcía;London\n'],
  ['The work–life balance'],
  ['Item;jalapeño\n'],
  ['ÉCOLE'],
  ['Stadt;Straße\nZürich;Bahnhofstraße 5\n', 'macintosh'],
  ['City\nMálaga\n', 'macintosh'],
  ['“Yes,” she said — “I don’t…”', 'macintosh'],
  ['İlçe\nŞişli\nBeşiktaş\n', 'windows-1254'],
  ['Vilnius – gražus miestas', 'windows-1257'],
  ['Słowo;żona\n', 'windows-1250'],
  ['Név;Város\nAnna;Győr\n', 'windows-1250'],
  ['If you don’t like it, “the customer’s money” comes back — always…', 'macintosh'],
  ['Name\rA – 5 €\rB – 6 €\rdon’t\r', 'macintosh'],
  ['Nom;Ville\rHélène;Besançon\rFrançois;Orléans\r', 'macintosh'],
  ['Nombre;Ciudad\rMuñoz;León\rPeña;Málaga\r', 'macintosh'],
  ['Name;Ort\rMüller;Köln\rGröße;groß\r', 'macintosh'],
  ['El año pasado la señora García compró más sillas aquí.', 'macintosh'],
];

describe('the encoding of a text with few characters beyond ASCII', () => {
  it.each(SIGNS_AMONG_LATIN)('is found: %j', (text, encoding = 'windows-1252') => {
    expect(decodeText(encode(text, encoding))).toBe(text);
  });

  it('is found in a long one', () => {
    const text = 'If you don’t like it, you’ll get the customer’s money back soon.\n'.repeat(160);
    expect(decodeText(encode(text, 'windows-1252'))).toBe(text);
  });

  it('is windows-1252 rather than none', () => {
    const bytes = Buffer.from('ab\xa6;cd\xa6\n', 'latin1');
    expect(decodeText(bytes)).toBe('ab¦;cd¦\n');
    expect(collectWarnings(bytes)).toEqual([{ code: 'encoding_guessed', what: 'windows-1252' }]);
  });
});

describe('the encoding of a short table', () => {
  it.each([
    ['windows-1250', 'Imię;Miasto\nŁukasz;Łódź\nŻaneta;Wrocław\n'],
    ['windows-1250', 'Jméno;Město\nJiří;Plzeň\nŽofie;Ústí nad Labem\n'],
    ['windows-1250', 'Név;Város\nGyőző;Győr\n'],
    ['windows-1250', 'Ime;Grad\nŽeljko;Šibenik\nĐurđa;Čakovec\n'],
    ['windows-1250', 'Nume;Oraş\nŞtefan;Iaşi\nŢăranu;Constanţa\n'],
    ['iso-8859-2', 'Imię;Miasto\nŁukasz;Łódź\nŻaneta;Świnoujście\n'],
    ['windows-1252', 'Name;Ort\nMüller;Köln\nGröße;groß\n'],
    ['windows-1252', 'Name;Preis\nKäse;5 €\n'],
    ['windows-1252', 'Nom;Ville\nHélène;Besançon\nFrançois;Orléans\n'],
    ['windows-1252', 'Nombre;Ciudad\nMuñoz;León\nPeña;Málaga\n'],
    ['windows-1252', 'Nome;Cidade\nJoão;São Paulo\nConceição;Brasília\n'],
    ['windows-1252', 'Namn;Ort\nÅsa;Malmö\nSjöberg;Västerås\n'],
    ['windows-1252', 'Navn;By\nSøren;Ærø\nBjørn;Århus\n'],
    ['windows-1252', 'Caffè;Città\nPerché;però\n'],
    ['windows-1252', 'Temp;20 °C\nPrice;£5\nName;“Lamp” – new\n'],
    ['windows-1254', 'Ad;Şehir\nÇağrı;İstanbul\nIşık;Eskişehir\nGül;Muğla\n'],
    ['windows-1257', 'Vardas;Miestas\nŽivilė;Šiauliai\nRūta;Kėdainiai\n'],
    ['macintosh', 'Name;Ort\nMüller;Köln\nGröße;groß\n'],
    ['windows-1251', 'Имя;Город\nИван;Москва\nОльга;Пермь\n'],
    ['koi8-u', 'Имя;Город\nИван;Москва\nОльга;Пермь\n'],
    ['ibm866', 'Имя;Город\nИван;Москва\nОльга;Пермь\n'],
    ['windows-1251', 'ТОВАР;ЦЕНА\nЛАМПА;100\nСТУЛ;200\n'],
    ['windows-1251', "Ім'я;Місто\nОлексій;Київ\nЇжак;Львів\n"],
    ['windows-1253', 'Όνομα;Πόλη\nΓιώργος;Αθήνα\nΜαρία;Πάτρα\n'],
    ['windows-1255', 'שם;עיר\nדוד;חיפה\nשרה;ירושלים\n'],
    ['windows-1256', 'الاسم;المدينة\nمحمد;القاهرة\nفاطمة;دمشق\n'],
    ['windows-874', 'ชื่อ,เมือง\nสมชาย,กรุงเทพ\nมาลี,เชียงใหม่\n'],
    ['shift_jis', '品名,価格\nりんご,120\nみかん,80\n'],
    ['shift_jis', '氏名,部署\n田中太郎,営業部\n鈴木花子,総務部\n'],
    ['shift_jis', '商品コード,ｱｲﾃﾑ\n1,ﾗﾝﾌﾟ\n'],
    ['euc-jp', '品名,価格\nりんご,120\nみかん,80\n'],
    ['euc-jp', '氏名,部署\n田中太郎,営業部\n鈴木花子,総務部\n'],
    ['gb18030', '品名,价格\n苹果,120\n椅子,80\n'],
    ['gb18030', '姓名;城市\n王伟;北京\n李娜;上海\n'],
    ['big5', '品名,價格\n蘋果,120\n椅子,80\n'],
    ['big5', '姓名;城市\n王偉;臺北\n李娜;高雄\n'],
    ['euc-kr', '품목,가격\n사과,1500\n배,2000\n'],
    ['euc-kr', '이름;도시\n김철수;서울\n이영희;부산\n'],
    ['euc-kr', '제품,재고\n램프,5\n'],
  ])('is found: %s, %j', (encoding, text) => {
    expect(decodeText(encode(text, encoding))).toBe(text);
  });

  it('has a warning with its name where it is a doubtful guess', () => {
    const table = encode('Imię;Miasto\nŁukasz;Łódź\n', 'windows-1250');
    expect(collectWarnings(table)).toEqual([{ code: 'encoding_guessed', what: 'windows-1250' }]);
    expect(collectWarnings(Buffer.from('Imię;Miasto\n'))).toEqual([]);
  });

  it('is the one that its sender names, unless a mark says another', () => {
    const warn = () => undefined;
    const table = Buffer.from('Imi\xea;5\n', 'latin1');
    expect(decodeText(table, { warn, charset: 'windows-1250' })).toBe('Imię;5\n');
    expect(decodeText(table, { warn, charset: 'windows-1252' })).toBe('Imiê;5\n');
    const marked = Buffer.from('\ufeffImię');
    expect(decodeText(marked, { warn, charset: 'windows-1250' })).toBe('Imię');
    expect(() => decodeText(table, { warn, charset: 'utf-8' })).toThrow(Unreadable);
  });

  it('is found in a long line, and where most lines are ASCII', () => {
    const line = `${'x'.repeat(100_000)}${'Größe für Straße '.repeat(10_000)}`;
    expect(decodeText(Buffer.from(line, 'latin1'))).toBe(line);
    const lines = `${'a;b\n'.repeat(100_000)}Żaneta;Łódź\nŚwięto;wrzesień\n`;
    expect(decodeText(encode(lines, 'windows-1250'))).toBe(lines);
    const wide = '商品が届きません。'.repeat(5_000);
    expect(decodeText(encode(wide, 'shift_jis'))).toBe(wide);
  });

  it('is refused where it can be none', () => {
    const bytes = Array.from({ length: 300 }, (_, n) => 0x80 + ((n * n * 37 + n) % 0x80));
    expect(() => decodeText(Buffer.from(bytes))).toThrow(Unreadable);
  });
});
