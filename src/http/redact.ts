const SECRET = /rag_(live|test)_[0-9A-Za-z]+/g;

/** Text with whatever looks like an API key made unreadable, whole or cut short. */
export const redact = (text: string): string => text.replace(SECRET, 'rag_$1_[redacted]');
