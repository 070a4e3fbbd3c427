/* global document, fetch */
// Asks the service itself, with a client token. The API key stays in the backend.
import { Latchkey } from '/latchkey-client/index.js';

const messages = document.querySelector('#messages');
const form = document.querySelector('form');
const latchkey = fetch('/settings')
  .then((response) => response.json())
  .then(({ baseUrl }) => new Latchkey({ baseUrl, apiKey: newToken }));
let conversationId;

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { question, button } = { question: form.question, button: form.querySelector('button') };
  const text = question.value;
  form.reset();
  show('question', text);
  button.disabled = true;
  const answer = show('answer', '…');
  try {
    await ask(text, answer);
  } catch (error) {
    answer.className = 'error';
    answer.textContent = error.message;
  } finally {
    button.disabled = false;
    question.focus();
  }
});

function show(kind, text) {
  const item = document.createElement('li');
  item.className = kind;
  item.textContent = text;
  messages.append(item);
  return item;
}

async function ask(message, answer) {
  let text = '';
  const question = { message, conversation_id: conversationId };
  for await (const event of (await latchkey).chatStream(question)) {
    if (event.type === 'delta') answer.textContent = text += event.text;
    if (event.type === 'message_end') {
      conversationId = event.answer.conversation_id;
      answer.textContent = withSources(event.answer);
    }
  }
}

const withSources = ({ answer, answered, confidence, sources }) =>
  [
    // Only quoted answers have a confidence: the probability that they are right.
    ...(answered && confidence < 0.6 ? ['This may not be what you asked.'] : []),
    answer,
    ...sources.map(({ index, document_title: title }) => `[${index}] ${title}`),
  ].join('\n');

/** The client asks for a token at its first question, and again when the token has expired. */
async function newToken() {
  const response = await fetch('/client-token', { method: 'POST' });
  if (!response.ok) throw new Error('This cannot be answered right now.');
  return (await response.json()).token;
}
