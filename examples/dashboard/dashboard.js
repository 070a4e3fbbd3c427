/* global addEventListener, crypto, document, navigator */
import { list, service } from './api.js';
import { moment, stateOf } from './key-state.js';
import { LatchkeyError } from './latchkey-client/index.js';

const at = (id) => document.getElementById(id);
const kbId = () => at('kb').value;

/** Creates an element. User input is set as text, never as HTML. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const used = (instant) => (instant ? moment(instant) : 'never');

/** Runs an action of the user, and shows what went wrong. */
async function attempt(work) {
  at('problem').hidden = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    const signedOut = error.status === 401;
    at('problem').textContent = signedOut
      ? 'You are signed out: load this page again to sign in.'
      : messageOf(error);
    at('problem').hidden = false;
    at('problem').scrollIntoView({ block: 'nearest' });
    if (error.requestId && !signedOut) at('problem').title = `Request ${error.requestId}`;
  }
}

/** The client's message names a URL, which does not help the user. */
const messageOf = ({ code, message }) =>
  code === 'unreachable' ? 'The service cannot be reached. Try again in a moment.' : message;

/** The same for changes: until one is done, further clicks do nothing. */
async function attemptOnce(work) {
  const main = at('main');
  if (main.ariaBusy === 'true') return;
  main.ariaBusy = 'true';
  await attempt(work).finally(() => (main.ariaBusy = 'false'));
}

async function showKnowledgeBases() {
  const rows = await list('/api/v1/kbs', {});
  at('kb').replaceChildren(
    ...rows.map(({ id, name }) => element('option', { value: id, textContent: name })),
  );
  at('main').hidden = rows.length === 0;
  at('status').textContent = rows.length === 0 ? 'You have no knowledge base yet.' : '';
  if (rows.length > 0) await showKeys();
}

async function showKeys() {
  const keys = await list('/api/v1/kbs/{kb_id}/api-keys', { path: { kb_id: kbId() } });
  at('keys').replaceChildren(...keys.map(keyRow));
  at('no-keys').hidden = keys.length > 0;
}

function keyRow(key) {
  const row = element('tr', { className: key.active ? '' : 'over' });
  const lastUsed = element('td', { textContent: used(key.last_used_at) });
  lastUsed.dataset.label = 'Last used:';
  row.append(
    element('th', { scope: 'row', textContent: key.name }),
    element('td', { className: 'prefix', textContent: `${key.prefix}…` }),
    element('td', { className: 'state', textContent: stateOf(key) }),
    lastUsed,
  );
  const buttons = element('td');
  if (key.active) {
    for (const [label, change] of Object.entries({ Rotate: rotate, Revoke: revoke })) {
      const button = element('button', { type: 'button', textContent: label });
      button.disabled = label === 'Rotate' && key.rotated_to !== null;
      button.setAttribute('aria-label', `${label} ${key.name}`);
      button.addEventListener('click', () => attemptOnce(() => change(key)));
      buttons.append(button);
    }
  }
  row.append(buttons);
  return row;
}

/** Shows how a key is used, and waits for the user's decision. */
async function confirmed(key, title, label, withGrace) {
  const usage = await service.get('/api/v1/api-keys/{key_id}/usage', { path: { key_id: key.id } });
  at('change-title').textContent = title;
  const facts = {
    'Requests in 24 hours': usage.requests_24h,
    'Requests in 30 days': usage.requests_30d,
    'Last used': used(usage.last_used_at),
    From: usage.last_ip ?? '–',
  };
  at('usage').replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) => [
      element('dt', { textContent: name }),
      element('dd', { textContent: value }),
    ]),
  );
  at('verdict').textContent = usage.safe_to_revoke
    ? 'Nobody used this key in the last 24 hours.'
    : 'This key is in use. Whatever uses it stops when the key does.';
  at('grace').hidden = !withGrace;
  at('change-confirm').textContent = label;
  at('change-confirm').className = withGrace ? 'main' : 'serious';
  const dialog = at('change-dialog');
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue === 'yes';
}

async function revoke(key) {
  if (!(await confirmed(key, `Revoke ${key.name}?`, 'Revoke for good', false))) return;
  await service.patch('/api/v1/api-keys/{key_id}/revoke', { path: { key_id: key.id } });
  await showKeys();
  at('status').textContent = `${key.name} is revoked.`;
}

async function rotate(key) {
  if (!(await confirmed(key, `Rotate ${key.name}?`, 'Rotate', true))) return;
  const body = { grace_period_seconds: Number(at('grace-period').value) };
  await issue('/api/v1/api-keys/{key_id}/rotate', { path: { key_id: key.id }, body });
}

/** The last request for a new key, until its result is known. */
let pending;

async function issue(operation, input) {
  // If the answer is lost, sending the same request again, now or by a click, creates no second key.
  const request = JSON.stringify([operation, input]);
  if (pending?.request !== request) pending = { request, id: crypto.randomUUID() };
  const headers = { 'idempotency-key': pending.id };
  const send = () => service.post(operation, { ...input, headers });
  const { api_key: secret } = await send()
    .catch((error) => {
      if (error.status !== 0) throw error;
      return send();
    })
    .catch((error) => {
      // After a 4xx no key was created. After a 5xx, maybe of the gateway, that is unknown.
      if (error.status >= 400 && error.status < 500) pending = undefined;
      throw error;
    });
  pending = undefined;
  at('secret').textContent = secret;
  at('copied').textContent = '';
  at('secret-dialog').returnValue = '';
  at('secret-dialog').showModal();
  await showKeys();
}

at('kb').addEventListener('change', () => attempt(showKeys));
at('create').addEventListener('submit', (event) => {
  event.preventDefault();
  const { name, environment } = event.target.elements;
  void attemptOnce(async () => {
    const body = { name: name.value, environment: environment.value };
    await issue('/api/v1/kbs/{kb_id}/api-keys', { path: { kb_id: kbId() }, body });
    event.target.reset();
  });
});
at('copy').addEventListener('click', async () => {
  at('copied').textContent = await navigator.clipboard.writeText(at('secret').textContent).then(
    () => 'Copied.',
    () => 'The browser does not let this page copy: select the secret, and copy it.',
  );
});
at('secret-stored').addEventListener('click', () => at('secret-dialog').close('stored'));
const remindToStore = () => {
  at('copied').textContent = 'Store the secret first: it is shown nowhere else.';
};
at('secret-dialog').addEventListener('cancel', (event) => {
  event.preventDefault();
  remindToStore();
});
at('secret-dialog').addEventListener('close', ({ target }) => {
  if (target.returnValue === 'stored') {
    at('secret').textContent = '';
    return;
  }
  // Browsers close a dialog at the second Escape, even if the page cancels it.
  target.showModal();
  remindToStore();
});
addEventListener('beforeunload', (event) => {
  if (at('secret').textContent !== '') event.preventDefault();
});
at('change-cancel').addEventListener('click', () => at('change-dialog').close());
at('change-confirm').addEventListener('click', () => at('change-dialog').close('yes'));

await attempt(showKnowledgeBases);
