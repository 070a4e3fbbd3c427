import { describe, expect, it } from '@jest/globals';
import { detectQuestionLanguage } from './question-language.js';

describe(detectQuestionLanguage, () => {
  it.each([
    ['en', 'How long may customers return an order?'],
    ['de', 'Wie lange kann ich eine Bestellung zurückgeben?'],
    ['fr', 'Combien de temps ai-je pour retourner une commande ?'],
    ['es', '¿Cuánto tiempo tengo para devolver un pedido?'],
    ['it', 'Quanto tempo ho per restituire un ordine?'],
    ['pt', 'Quanto tempo tenho para devolver uma encomenda?'],
    ['nl', 'Hoe lang kan ik een bestelling terugsturen?'],
    ['pl', 'Ile mam czasu na zwrot zamówienia?'],
    ['cs', 'Jak dlouho mohu vrátit objednávku?'],
    ['sv', 'Hur länge kan jag returnera en beställning?'],
    ['da', 'Hvor længe kan jeg returnere en ordre?'],
    ['no', 'Hvor lenge kan jeg returnere en bestilling, og hva koster det?'],
    ['fi', 'Kuinka kauan voin palauttaa tilauksen?'],
    ['tr', 'Bir siparişi ne kadar süre içinde iade edebilirim?'],
    ['ru', 'Сколько времени у меня есть, чтобы вернуть заказ?'],
    ['uk', 'Скільки часу я маю, щоб повернути замовлення?'],
    ['uk', 'Де нас приймуть з собакою?'],
    ['uk', 'У якому кафе можна зарядити ноутбук?'],
    ['ru', 'Где можно поставить машину?'],
    ['bg', 'Колко време имам да върна поръчка?'],
    ['el', 'Πόσο χρόνο έχω για να επιστρέψω μια παραγγελία;'],
    ['ar', 'كم من الوقت لدي لإرجاع طلب؟'],
    ['fa', 'چقدر زمان برای پس دادن سفارش دارم؟'],
    ['he', 'כמה זמן יש לי להחזיר הזמנה?'],
    ['hi', 'मैं ऑर्डर कितने दिनों में लौटा सकता हूँ?'],
    ['th', 'ฉันคืนสินค้าได้ภายในกี่วัน'],
    ['vi', 'Tôi có bao lâu để trả lại đơn hàng?'],
    ['id', 'Berapa lama saya bisa mengembalikan pesanan?'],
    ['ro', 'Cât timp am la dispoziție pentru a returna o comandă?'],
    ['hu', 'Mennyi ideig küldhetem vissza a rendelést?'],
    ['zh', '我可以在多长时间内退货？'],
    ['ja', '注文はいつまでに返品できますか？'],
    ['ko', '주문을 언제까지 반품할 수 있나요?'],
  ])('is %s for “%s”', (language, question) => {
    expect(detectQuestionLanguage(question)).toBe(language);
  });

  it.each([
    ['en', 'Thanks, that was really helpful'],
    ['en', 'That was wrong'],
    ['de', 'Was kostet die Lieferung?'],
    ['de', 'Was passiert bei Verspätung?'],
    ['de', 'Hallo, was kostet Versand?'],
    ['ro', 'Salut, ce oferta aveti?'],
    ['tr', 'Merhaba, ne gelir?'],
    ['pt', 'A que horas fecha a unidade Centro?'],
    ['pt', 'A unidade Jardim Leste abre no domingo?'],
    ['it', 'Posso affittare una parte a qualcun altro?'],
  ])('is %s, which shares words with others, for “%s”', (language, question) => {
    expect(detectQuestionLanguage(question)).toBe(language);
  });

  it('is that of most of its letters where a name is in another language', () => {
    expect(detectQuestionLanguage('إلى أي سن يبقى الأبناء مؤمنين في تأمين سپهر؟')).toBe('ar');
    expect(detectQuestionLanguage('آدرس شرکت جمعیة الأمل کجاست و چه ساعتی باز می‌شود؟')).toBe('fa');
    expect(detectQuestionLanguage('آرڈر کتنے دنوں میں واپس کر سکتے ہیں؟')).toBe('ur');
  });

  it.each(['iPhone', '🔑', '', '4711', 'ERR-4012', '?!'])('is unknown for “%s”', (question) => {
    expect(detectQuestionLanguage(question)).toBeUndefined();
  });

  it('is that of most of the letters where there are two scripts', () => {
    expect(detectQuestionLanguage('iPhone 15 Pro をいつまでに返品できますか？')).toBe('ja');
    expect(detectQuestionLanguage('What does 退货 mean in the returns policy?')).toBe('en');
  });

  it('reads the beginning of a long text only', () => {
    expect(detectQuestionLanguage('the '.repeat(2000))).toBe('en');
  });
});
