import { describe, expect, it } from '@jest/globals';
import { detectLanguage } from './detect-language.js';

describe(detectLanguage, () => {
  it.each([
    [
      'en',
      'Customers may return any order within thirty days of delivery, without giving a reason.',
    ],
    [
      'de',
      'Kunden können jede Bestellung innerhalb von dreißig Tagen nach der Lieferung zurückgeben.',
    ],
    [
      'es',
      'Los clientes pueden devolver cualquier pedido dentro de los treinta días desde la entrega.',
    ],
    [
      'fr',
      'Les clients peuvent retourner toute commande dans les trente jours qui suivent la livraison.',
    ],
    [
      'it',
      'I clienti possono restituire qualsiasi ordine entro trenta giorni dalla data di consegna.',
    ],
    [
      'pt',
      'Os clientes podem devolver qualquer encomenda no prazo de trinta dias após a sua entrega.',
    ],
    [
      'nl',
      'Klanten kunnen elke bestelling binnen dertig dagen na de levering zonder kosten terugsturen.',
    ],
    [
      'sv',
      'Kunderna kan lämna tillbaka alla beställningar inom trettio dagar efter att de har levererats.',
    ],
    [
      'fi',
      'Asiakkaat voivat palauttaa minkä tahansa tilauksen kolmenkymmenen päivän kuluessa toimituksesta.',
    ],
    [
      'pl',
      'Klienci mogą zwrócić każde zamówienie w ciągu trzydziestu dni od daty jego dostarczenia.',
    ],
    [
      'cs',
      'Zákazníci mohou vrátit každou objednávku do třiceti dnů od doručení, a to bez udání důvodu.',
    ],
    [
      'ro',
      'Clienții pot returna orice comandă în termen de treizeci de zile de la livrarea acesteia.',
    ],
    [
      'hu',
      'A vásárlók bármely megrendelést visszaküldhetik a kézhezvételtől számított harminc napon belül.',
    ],
    [
      'tr',
      'Müşteriler her siparişi teslim tarihinden itibaren otuz gün içinde ücretsiz iade edebilirler.',
    ],
    [
      'vi',
      'Khách hàng có thể trả lại bất kỳ đơn hàng nào trong vòng ba mươi ngày kể từ khi giao hàng.',
    ],
    [
      'el',
      'Οι πελάτες μπορούν να επιστρέψουν κάθε παραγγελία εντός τριάντα ημερών από την παράδοση.',
    ],
    ['ru', 'Покупатели могут вернуть любой заказ в течение тридцати дней после его доставки.'],
    [
      'uk',
      'Покупці можуть повернути будь-яке замовлення протягом тридцяти днів після його доставки.',
    ],
    ['ar', 'يمكن للعملاء إرجاع أي طلب خلال ثلاثين يوما من تاريخ التسليم دون إبداء الأسباب.'],
    ['fa', 'مشتریان می‌توانند هر سفارشی را ظرف سی روز پس از تحویل پس دهند و پول خود را بگیرند.'],
    ['he', 'לקוחות רשאים להחזיר כל הזמנה בתוך שלושים יום ממועד המסירה ללא מתן הסבר.'],
    ['hi', 'ग्राहक डिलीवरी के तीस दिनों के भीतर कोई भी ऑर्डर वापस कर सकते हैं।'],
    ['th', 'ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับสินค้า'],
    ['zh', '客户可以在收到订单后三十天内退货。退款将在五个工作日内支付。'],
    ['ja', 'お客様は商品到着後三十日以内であれば返品することができます。'],
    ['ko', '고객은 배송 후 삼십 일 이내에 모든 주문을 반품할 수 있습니다.'],
  ])('detects %s', (language, text) => {
    expect(detectLanguage([text])).toBe(language);
  });

  it.each(['', ' ', '1234 567', 'OK', 'def f(x): return x + 1', '🐧🐧🐧', 'SKU 4711-B'])(
    'is not sure about %j',
    (text) => {
      expect(detectLanguage([text])).toBeNull();
    },
  );

  it('is not misled by an English cover, names, links and code', () => {
    const german =
      'Die Prüfung ergab für alle Maße ähnliche Werte, und das Ergebnis wurde von der Behörde bestätigt.';
    expect(
      detectLanguage([
        'Annual Report 2026, all rights reserved',
        ...Array.from({ length: 9 }, () => german),
      ]),
    ).toBe('de');
    expect(
      detectLanguage([
        '在 Docker Compose 部署中，请在 docker-compose.yaml 里设置 SECRET_KEY 和 DB_PASSWORD 环境变量，然后重启服务。',
      ]),
    ).toBe('zh');
  });

  it.each(['Text about it.', 'Intro. Text.', 'Returns policy', 'Привет, мир'])(
    'is not sure of a text as short as %j',
    (text) => {
      expect(detectLanguage([text])).toBeNull();
    },
  );

  it('knows a script that one language has from a few letters', () => {
    expect(detectLanguage(['สวัสดีชาวโลก'])).toBe('th');
  });
});
