/* global document, fetch, TextDecoderStream */
// Asks the service itself, with a client token. The API key stays in the backend.
const SECONDS_BEFORE_END = 30;

const messages = document.querySelector('#messages');
const form = document.querySelector('form');
let credential;
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
  const { url, token } = await currentCredential();
  const response = await fetch(`${url}/api/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, conversation_id: conversationId, stream: true }),
  });
  if (!response.ok) throw new Error((await response.json()).detail);
  let text = '';
  for await (const { event, data } of eventsOf(response.body)) {
    if (event === 'delta') answer.textContent = text += data.text;
    if (event === 'error') throw new Error(data.detail);
    if (event === 'message_end') {
      conversationId = data.conversation_id;
      answer.textContent = withSources(data);
      return;
    }
  }
  throw new Error('The answer was cut off. Please ask again.');
}

const withSources = ({ answer, sources }) =>
  [answer, ...sources.map(({ index, document_title: title }) => `[${index}] ${title}`)].join('\n');

/** A token that still works for a while; another one when it is about to end. */
async function currentCredential() {
  const left = credential ? Date.parse(credential.expires_at) - Date.now() : 0;
  if (left > SECONDS_BEFORE_END * 1000) return credential;
  const response = await fetch('/client-token', { method: 'POST' });
  if (!response.ok) throw new Error('This cannot be answered right now.');
  return (credential = await response.json());
}

/** Server-sent events, whose data is JSON. */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffered += value.replaceAll('\r\n', '\n');
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
      if (fields.data) yield { event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}
