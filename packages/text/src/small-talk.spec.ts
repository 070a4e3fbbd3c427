import { describe, expect, it } from '@jest/globals';
import { detectSmallTalk } from './small-talk.js';

describe(detectSmallTalk, () => {
  it.each([
    ['en', 'Hello there!', 'Thanks a lot, that was helpful', 'What can you do?', 'ok, good bye'],
    [
      'de',
      'Guten Morgen zusammen',
      'Vielen Dank für die Hilfe!',
      'Wer bist du?',
      'Auf Wiedersehen',
    ],
    ['fr', 'Bonjour à tous', 'Merci beaucoup !', 'Es-tu un robot ?', 'Bonne journée'],
    ['es', '¡Hola, buenos días!', 'muchas gracias', '¿Quién eres?', 'hasta luego'],
    ['it', 'Buongiorno a tutti', 'Grazie mille', 'Come puoi aiutarmi?', 'Arrivederci'],
    ['pt', 'Olá, tudo bem?', 'Muito obrigada', 'Quem é você?', 'Até logo'],
    ['nl', 'Goedemorgen', 'Dank je wel voor je hulp', 'Ben je een robot?', 'Tot ziens'],
    ['pl', 'Dzień dobry', 'Dziękuję bardzo', 'W czym możesz mi pomóc?', 'Do widzenia'],
    ['cs', 'Dobrý den', 'Děkuji mnohokrát', 'Co umíš?', 'Na shledanou'],
    ['sv', 'God morgon', 'Tack så mycket', 'Vem är du?', 'Vi ses'],
    ['da', 'Goddag', 'Mange tak for hjælpen', 'Hvad kan du hjælpe med?', 'Farvel'],
    ['no', 'Hei hei', 'Tusen takk for hjelpen', 'Hva kan du gjøre?', 'Ha en fin kveld'],
    ['fi', 'Hyvää päivää', 'Kiitos paljon', 'Kuka olet?', 'Näkemiin'],
    ['tr', 'İyi günler', 'Çok teşekkür ederim', 'Sen kimsin?', 'Hoşça kal'],
    ['ru', 'Добрый день', 'Большое спасибо', 'Ты робот?', 'До свидания'],
    ['uk', 'Доброго дня', 'Щиро дякую', 'Хто ти?', 'До побачення'],
    ['el', 'Καλημέρα σας', 'Ευχαριστώ πολύ', 'Ποιος είσαι;', 'Αντίο'],
    ['ar', 'السلام عليكم', 'شكرًا جزيلًا', 'من أنت؟', 'مع السلامة'],
    ['he', 'בוקר טוב', 'תודה רבה', 'מי אתה?', 'להתראות'],
    ['fa', 'سلام، وقت بخیر', 'خیلی ممنون', 'شما کی هستید؟', 'خداحافظ'],
    ['hi', 'नमस्ते जी', 'बहुत धन्यवाद', 'आप कौन हैं?', 'फिर मिलेंगे'],
    ['th', 'สวัสดีครับ', 'ขอบคุณมากค่ะ', 'คุณคือใคร', 'ลาก่อน'],
    ['vi', 'Xin chào', 'Cảm ơn bạn nhiều', 'Bạn là ai?', 'Tạm biệt'],
    ['id', 'Selamat pagi', 'Terima kasih banyak', 'Siapa kamu?', 'Sampai jumpa lagi'],
    ['zh', '您好！', '非常感谢', '你是谁？', '再见'],
    [
      'ja',
      'おはようございます',
      'どうもありがとうございました',
      'あなたは誰ですか？',
      'さようなら',
    ],
    ['ko', '안녕하세요', '정말 감사합니다', '누구세요?', '안녕히 계세요'],
    ['ro', 'Bună ziua', 'Mulțumesc frumos', 'Cine ești?', 'La revedere'],
    ['hu', 'Jó napot kívánok', 'Köszönöm szépen', 'Ki vagy?', 'Viszontlátásra'],
    ['bg', 'Здравейте', 'Благодаря ви', 'Кой си ти?', 'Довиждане'],
  ])('knows that of %s', (language, greeting, thanks, about, farewell) => {
    expect(detectSmallTalk(greeting)).toEqual({ kind: 'greeting', language });
    expect(detectSmallTalk(thanks)).toEqual({ kind: 'thanks', language });
    expect(detectSmallTalk(about)).toEqual({ kind: 'about', language });
    expect(detectSmallTalk(farewell)).toEqual({ kind: 'farewell', language });
  });

  it('knows greetings with a name, acknowledgements and signs', () => {
    expect(detectSmallTalk('Hi Anna!')).toEqual({ kind: 'greeting', language: 'en' });
    expect(detectSmallTalk('lol ok')).toEqual({ kind: 'thanks', language: undefined });
    expect(detectSmallTalk('👋')).toEqual({ kind: 'greeting', language: undefined });
  });

  it.each([
    'Thanks, and how long is the warranty?',
    'Hello, how do I get my money back?',
    'What is this error?',
    'hello world program',
    'Hi refunds',
    'thank you letter template',
    'Hi Anna, Warranty?',
    '谢谢，班车几点开？',
    'สวัสดีครับ ร้านเปิดกี่โมง',
    'help desk number',
    '🚗',
    '?',
    '',
  ])('takes no question for it: %j', (message) => {
    expect(detectSmallTalk(message)).toBeUndefined();
  });
});
