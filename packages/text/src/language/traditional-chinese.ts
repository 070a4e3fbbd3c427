/** Chinese stop words in traditional characters, where these differ from the list's. */
export const TRADITIONAL_CHINESE =
  '與 並 併 們 該 這 麼 誰 時 幾 來 嗎 兒 個 還 說 為 爲 於 對 會 請';
