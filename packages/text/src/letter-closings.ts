import { foldText } from './fold-text.js';

/** Closing phrases of letters, by language. */
const CLOSINGS: Readonly<Record<string, string>> = {
  ar: 'مع خالص التحية|مع أطيب التحيات|مع فائق الاحترام|مع التحية|تحياتي|وتفضلوا بقبول',
  bg: 'с уважение|поздрави',
  cs: 's pozdravem|s úctou',
  da: 'med venlig hilsen|med venlige hilsner|venlig hilsen|venlige hilsner|mange hilsner|hilsen|mvh',
  de: 'mit freundlichen grüßen|mit freundlichem gruß|mit besten grüßen|mit lieben grüßen|freundliche grüße|viele grüße|liebe grüße|beste grüße|herzliche grüße|schöne grüße|grüße|gruß|hochachtungsvoll|mfg',
  el: 'με εκτίμηση|με φιλικούς χαιρετισμούς|φιλικά|χαιρετισμούς',
  en: 'with kind regards|with best regards|kind regards|best regards|warm regards|many regards|regards|best wishes|yours sincerely|sincerely yours|sincerely|yours faithfully|yours truly',
  es: 'un cordial saludo|un saludo|saludos cordiales|saludos|cordialmente|muy atentamente|atentamente|un abrazo',
  fa: 'با تشکر|با احترام|با سپاس|ارادتمند',
  fi: 'ystävällisin terveisin|parhain terveisin|terveisin',
  fr: 'bien cordialement|cordialement|bien à vous|bien à toi|meilleures salutations|sincères salutations|cordiales salutations|salutations|amicalement|respectueusement|veuillez agréer|je vous prie d agréer|dans l attente de votre réponse',
  he: 'בברכה|בתודה|בכבוד רב',
  hi: 'सादर|भवदीय',
  hu: 'üdvözlettel|tisztelettel|üdv',
  id: 'hormat saya|hormat kami|salam hormat',
  it: 'cordiali saluti|distinti saluti|un caro saluto|un saluto|tanti saluti|saluti|cordialmente|in attesa di un riscontro|in attesa di riscontro',
  ja: '敬具|草々|以上です|以上 よろしく|何卒よろしく|どうぞよろしく',
  ko: '이만 줄입니다|감사드립니다|올림|드림',
  nl: 'met vriendelijke groet|met vriendelijke groeten|met hartelijke groet|vriendelijke groet|vriendelijke groeten|hartelijke groet|hartelijke groeten|groetjes|groeten|groet|hoogachtend|mvg',
  no: 'med vennlig hilsen|vennlig hilsen',
  pl: 'pozdrawiam|serdecznie pozdrawiam|serdeczne pozdrowienia|pozdrowienia|z poważaniem|z wyrazami szacunku',
  pt: 'atenciosamente|cordialmente|com os melhores cumprimentos|melhores cumprimentos|cumprimentos|saudações|abraços|abraço|um abraço',
  ro: 'cu stimă|cu respect|salutări',
  ru: 'с уважением|с наилучшими пожеланиями|с приветом',
  sv: 'med vänliga hälsningar|med vänlig hälsning|vänliga hälsningar|vänlig hälsning|hälsningar|mvh',
  th: 'ขอแสดงความนับถือ|ด้วยความเคารพ',
  tr: 'saygılarımla|saygılarımızla|saygılar|sevgiler|iyi çalışmalar',
  uk: 'з повагою|з найкращими побажаннями',
  vi: 'trân trọng|thân ái|thân mến|kính thư',
  zh: '此致|敬上|谨启|谨上|顺祝商祺|順頌商祺|祝好',
};
/** The longest name of a writer behind the closing. */
const MAX_NAME_WORDS = 4;
const MAX_NAME_LENGTH = 40;
const ASKS = /[?？؟]/u;
/** Scripts in which no space stands between the closing and the next word. */
const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]$/u;

const closings = Object.values(CLOSINGS).flatMap((some) => some.split('|').map(foldText));

/** Whether a sentence only ends a letter: "Kind regards, Tom". */
export function isLetterClosing(sentence: string): boolean {
  if (ASKS.test(sentence)) return false;
  const text = foldText(sentence);
  return closings.some((closing) => {
    if (!text.startsWith(closing)) return false;
    const rest = text.slice(closing.length);
    if (rest !== '' && !rest.startsWith(' ') && !WITHOUT_SPACES.test(closing)) return false;
    return rest.length <= MAX_NAME_LENGTH && rest.trim().split(' ').length <= MAX_NAME_WORDS;
  });
}
