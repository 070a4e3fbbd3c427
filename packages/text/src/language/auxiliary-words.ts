/**
 * Forms of "be", "have", "do", "can", "must", "mean" and "want", the verbs by which a language asks for a name ("wie
 * heißt"), and words such as "please" and "something" that the lists of stop words lack. Most questions have one of them,
 * whatever they are about.
 */
export const AUXILIARY_WORDS: Readonly<Record<string, string>> = {
  ar: 'يمكنني يمكننا أستطيع نستطيع يجب أريد نريد عندي عندنا ينبغي فضلك هل أفعل نفعل يحدث شيء أحد يعني',
  bg: 'мога може можем могат трябва искам иска имам има имат моля правя прави става нещо някой означава',
  cs: 'můžu mohu můžeme můžete musím musíme musíte smím smí lze chtěl chtěla dělat udělat děje stane něco někdo někoho znamená znamenají',
  da: 'hedder hed kan må skal vil findes gøre gør sker noget nogen betyder',
  de: 'heißt heißen hieß hießen lautet lauten lautete lauteten dürfte möchten bitte eigentlich brauche brauchen braucht mache machen macht tun passiert finde finden etwas jemand jemanden bedeutet bedeuten',
  el: 'είναι ήταν έχει έχουν είχε είχαν υπάρχει μπορεί μπορούν λέγεται ονομάζεται μπορώ μπορούμε πρέπει θέλω θέλουμε έχω έχουμε παρακαλώ κάνω κάνει γίνεται κάτι κάποιος σημαίνει σημαίνουν',
  en: 'does please something anything someone anyone somebody anybody everything mean means',
  es: 'es son era eran fue fueron ser sido está están estaba estaban estar ha han había habían haber hay tiene tienen tenía tenían puede pueden podía llama llaman llamaba llamaban llamó puedo podemos debo debe debemos deben quiero quiere queremos quisiera necesito necesita necesitamos tengo tenemos soy yo nosotros mis usted ustedes si todavía favor hago hace hacer hacemos pasa sucede ocurre algo alguien encuentro significa significan',
  fa: 'میتوانم میتواند میتوانیم میتوانند میتوان توانم تواند توانیم باید کنم کند کنیم کنند است هست هستند بود دارم دارد داریم دارند شود میشود میشوند شما مرا را که ممکن هنوز لطفا یعنی',
  fi: 'voin voimme voivat voinko voiko saanko saako saan saa pitää täytyy haluan haluaisin onko ovatko minun minä tehdä teen tapahtuu jotain joku tarkoittaa tarkoittavat',
  fr: 'appelle appelait peut peuvent puis peux pouvons pouvez dois doit devons devez doivent faut veux veut voulons voudrais voudrait si déjà encore fait font svp faire fais quelque quelqu trouve signifie signifient',
  he: 'אפשר צריך צריכה צריכים חייב חייבת רוצה רוצים הייתה היו עדיין כבר בבקשה לעשות עושים עושה קורה משהו מישהו',
  hu: 'tudok tudunk tudom lehet szabad akarok szeretnék szeretnénk kérem csinálni tenni történik valami valaki jelent jelentik',
  id: 'tolong gimana ya sih bisakah bolehkah haruskah lakukan terjadi sesuatu seseorang artinya berarti',
  it: 'essere stato stata stati state può possono chiama chiamano chiamava posso puoi possiamo potete devo devi deve dobbiamo dovete devono voglio vuole vogliamo vorrei vorrebbe bisogna ancora già fa viene vengono favore fare faccio facciamo succede qualcosa qualcuno qualcun trovo significa significano',
  nl: 'zijn waren werden hebben wordt worden kan kunnen heet heten heette kun kunt mag mogen moeten willen wilt doet doe jij jouw eigenlijk alsjeblieft alstublieft doen gebeurt iets iemand vind betekent betekenen',
  no: 'heter het kan må skal vil finnes gjøre gjør skjer noe noen betyr',
  pl: 'jest są był była było były nazywa nazywał nazywała mogę możemy możecie muszę musimy należy wolno chcę chce chcemy chciałbym chciałabym mamy mają proszę zrobić robić robi dzieje coś ktoś kogoś oznacza oznaczają znaczy',
  pt: 'é são era eram foi foram ser sido está estão estava estavam há tem têm tinha tinham ter pode podem chama chamava posso podemos devo deve devemos devem preciso precisa precisamos quero quer queremos queria gostaria tenho temos sou dá faço faz fazem ainda gente favor fazer acontece algo alguém significa significam',
  ro: 'e era erau a fost avea numește numea putem trebuie vreau vrea vrem încă rog fac face întâmplă ceva cineva înseamnă',
  ru: 'является являлся являлась являются называется называлась назывался может могут могу можем нужно должен должна должны хочу хотим хотел хотела пожалуйста делать сделать происходит означает означают значит',
  sv: 'heter hette kan får måste ska skall vill finns göra gör händer något någon betyder',
  tr: 'olabilir olur musun misin misiniz musunuz mıyım miyim muyum müyüm mısın mıdır midir mudur müdür mıyız miyiz gerekiyor gerekir gerekli lazım lütfen peki acaba edebilir alabilir yapabilir yapmalıyım yapmam yapmak oluyor demek',
  uk: 'можу можна можемо треба потрібно хочу хочемо хотів хотіла ласка робити зробити відбувається щось хтось означає означають',
  vi: 'tôi thể muốn ạ nhỉ nhé ơi nghĩa',
};
