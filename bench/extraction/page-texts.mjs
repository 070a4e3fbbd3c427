// What stands on the pages that are recognised, written for this benchmark: notices of a made-up tram company.

/** @typedef {{ language: string, font: string, serif: string, paragraphs: string[] }} PageText */

const LATIN = { font: 'Liberation Sans', serif: 'Liberation Serif' };

/** @type {PageText[]} */
export const PAGE_TEXTS = [
  {
    ...LATIN,
    language: 'en',
    paragraphs: [
      'Lost property',
      'Whatever is found in a tram is kept at the Harbour depot for 90 days. The counter is open on weekdays from 7:30 to 18:00 and on Saturdays until noon. Please bring the number of the line and the hour at which you travelled, since more than 400 umbrellas arrive every month.',
      'A fee of 3.50 is charged for keys, phones and wallets; nothing is charged for school bags. Bicycles cost 12.00, because they are stored outside the town. Perishable goods are thrown away on the same evening.',
      'After three months everything is sold by auction. The proceeds go to the workshop that repairs old carriages. Whoever can prove that an object was theirs receives the price back, less the costs of the sale, within two years.',
      'Season tickets are blocked as soon as their loss is reported. A replacement is sent by post within five working days and remains valid until the date that was printed on the former card.',
    ],
  },
  {
    ...LATIN,
    language: 'de',
    paragraphs: [
      'Fundsachen',
      'Was in einer Straßenbahn gefunden wird, liegt 90 Tage lang im Betriebshof am Hafen. Der Schalter ist werktags von 7:30 bis 18:00 Uhr und samstags bis zum Mittag geöffnet. Bitte nennen Sie die Linie und die Uhrzeit Ihrer Fahrt, denn jeden Monat kommen über 400 Regenschirme an.',
      'Für Schlüssel, Telefone und Geldbörsen wird eine Gebühr von 3,50 Euro erhoben, für Schulranzen keine. Fahrräder kosten 12,00 Euro, weil sie außerhalb der Stadt gelagert werden. Verderbliche Waren werden noch am selben Abend weggeworfen.',
      'Nach drei Monaten wird alles versteigert. Der Erlös kommt der Werkstatt zugute, die alte Wagen ausbessert. Wer beweisen kann, dass ihm ein Gegenstand gehörte, erhält innerhalb von zwei Jahren den Preis abzüglich der Kosten des Verkaufs zurück.',
      'Zeitkarten werden gesperrt, sobald ihr Verlust gemeldet ist. Der Ersatz kommt innerhalb von fünf Werktagen mit der Post und gilt bis zu dem Tag, der auf der früheren Karte stand.',
    ],
  },
  {
    ...LATIN,
    language: 'fr',
    paragraphs: [
      'Objets trouvés',
      'Ce qui est trouvé dans un tramway est gardé pendant 90 jours au dépôt du port. Le guichet est ouvert en semaine de 7 h 30 à 18 h 00 et le samedi jusqu’à midi. Veuillez indiquer le numéro de la ligne et l’heure de votre trajet, car plus de 400 parapluies arrivent chaque mois.',
      'Une taxe de 3,50 euros est perçue pour les clés, les téléphones et les portefeuilles ; rien n’est demandé pour les cartables. Les vélos coûtent 12,00 euros, parce qu’ils sont entreposés hors de la ville. Les denrées périssables sont jetées le soir même.',
      'Après trois mois, tout est vendu aux enchères. La recette revient à l’atelier qui répare les anciennes voitures. Celui qui peut prouver qu’un objet était le sien reçoit le prix en retour, moins les frais de la vente, pendant deux années.',
      'Les abonnements sont bloqués dès que leur perte est signalée. Un remplacement est envoyé par la poste sous cinq jours ouvrables et reste valable jusqu’à la date imprimée sur l’ancienne carte.',
    ],
  },
  {
    ...LATIN,
    language: 'es',
    paragraphs: [
      'Objetos perdidos',
      'Lo que se encuentra en un tranvía se guarda durante 90 días en las cocheras del puerto. La ventanilla abre de lunes a viernes de 7:30 a 18:00 y los sábados hasta el mediodía. Indique por favor el número de la línea y la hora de su viaje, porque cada mes llegan más de 400 paraguas.',
      'Se cobra una tasa de 3,50 euros por llaves, teléfonos y carteras; por las mochilas escolares no se cobra nada. Las bicicletas cuestan 12,00 euros, porque se almacenan fuera de la ciudad. Los alimentos perecederos se tiran esa misma noche.',
      'Después de tres meses todo se vende en subasta. La recaudación se destina al taller que repara los coches antiguos. Quien pueda demostrar que un objeto era suyo recibe el precio, menos los gastos de la venta, durante dos años.',
      'Los abonos se bloquean en cuanto se comunica su pérdida. El duplicado se envía por correo en cinco días hábiles y vale hasta la fecha que estaba impresa en la tarjeta anterior.',
    ],
  },
  {
    font: 'Noto Sans CJK SC',
    serif: 'Noto Serif CJK SC',
    language: 'zh',
    paragraphs: [
      '失物招领',
      '在电车上捡到的物品，会在港口车场保管九十天。服务窗口工作日从七点半开到十八点，星期六开到中午。请告诉我们您乘坐的线路和时间，因为每个月都会收到四百多把雨伞。',
      '领取钥匙、手机和钱包需要交三元五角的手续费，书包不收费。自行车要交十二元，因为它们存放在城外。容易变质的食品当天晚上就会扔掉。',
      '三个月以后，所有物品都会拍卖。收入用来修理旧车厢。谁能证明某件物品是自己的，可以在两年之内拿回扣除拍卖费用以后的价钱。',
      '月票一旦挂失就会停用。新卡在五个工作日之内邮寄给您，有效期和原来卡上印的日期相同。',
    ],
  },
  {
    font: 'Noto Sans CJK JP',
    serif: 'Noto Serif CJK JP',
    language: 'ja',
    paragraphs: [
      '忘れ物のご案内',
      '路面電車の中で見つかった物は、港の車庫で九十日間お預かりします。窓口は平日の七時半から十八時まで、土曜日は正午まで開いています。毎月四百本を超える傘が届きますので、ご乗車になった路線と時刻をお知らせください。',
      '鍵、携帯電話、財布には三百五十円の手数料がかかりますが、学校のかばんは無料です。自転車は町の外に保管しているため、千二百円をいただきます。傷みやすい食べ物はその日の夜に処分します。',
      '三か月が過ぎると、すべて競売にかけられます。売り上げは古い車両を直す工場のために使われます。自分の物であったと証明できる方には、二年以内であれば、費用を引いた代金をお返しします。',
      '定期券は、紛失の届け出があり次第、使えなくなります。新しい券は五営業日以内に郵便でお送りし、前の券に印刷されていた日まで有効です。',
    ],
  },
  {
    font: 'Noto Naskh Arabic',
    serif: 'Noto Sans Arabic',
    language: 'ar',
    paragraphs: [
      'المفقودات',
      'كل ما يعثر عليه في الترام يحفظ في مستودع الميناء لمدة تسعين يوما. يفتح الشباك في أيام العمل من الساعة السابعة والنصف صباحا حتى السادسة مساء، ويوم السبت حتى الظهر. نرجو ذكر رقم الخط وساعة الرحلة، لأن أكثر من أربعمئة مظلة تصل إلينا كل شهر.',
      'تدفع رسوم صغيرة مقابل المفاتيح والهواتف والمحافظ، ولا يدفع شيء مقابل حقائب المدرسة. أما الدراجات فرسومها أعلى لأنها تخزن خارج المدينة. والأطعمة التي تفسد ترمى في مساء اليوم نفسه.',
      'بعد ثلاثة أشهر يباع كل شيء في المزاد، وتذهب الأموال إلى الورشة التي تصلح العربات القديمة. ومن يستطيع أن يثبت أن الشيء كان له يسترد ثمنه بعد خصم تكاليف البيع خلال سنتين.',
      'توقف بطاقات الاشتراك فور الإبلاغ عن فقدانها. وترسل البطاقة الجديدة بالبريد خلال خمسة أيام عمل، وتبقى صالحة حتى التاريخ المطبوع على البطاقة السابقة.',
    ],
  },
];
