/** Of a key that was pasted only the prefix: the address of a page is kept in histories and logs. */
export const withoutSecret = (text: string) =>
  /rag_(?:live|test|admin)_[0-9A-Za-z]{10}/.exec(text)?.[0] ?? text;
