/* global crypto, document, navigator */
import { call, list, Refusal } from './api.js';
import { chart, figures } from './chart.js';

const at = (id) => document.getElementById(id);
const kbId = () => at('kb').value;

/** An element; what people typed goes in as text and never as HTML. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const moment = (instant) =>
  instant
    ? new Date(instant).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
    : 'never';

/** Runs what a person asked for, and tells them when it went wrong. */
async function attempt(work) {
  at('problem').hidden = true;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const signedOut = error.status === 401;
    at('problem').textContent = signedOut
      ? 'You are signed out: sign in, then load this page again.'
      : error.message;
    at('problem').hidden = false;
    at('problem').scrollIntoView({ block: 'nearest' });
    if (error.requestId && !signedOut) at('problem').title = `Request ${error.requestId}`;
  }
}

async function showKnowledgeBases() {
  const rows = await list('/kbs');
  at('kb').replaceChildren(
    ...rows.map(({ id, name }) => element('option', { value: id, textContent: name })),
  );
  at('main').hidden = rows.length === 0;
  at('status').textContent = rows.length === 0 ? 'You have no knowledge base yet.' : '';
  if (rows.length > 0) await showKnowledgeBase();
}

async function showKnowledgeBase() {
  await Promise.all([showKeys(), showAnalytics()]);
}

async function showKeys() {
  const keys = await list(`/kbs/${kbId()}/api-keys`);
  at('keys').replaceChildren(...keys.map(keyRow));
  at('no-keys').hidden = keys.length > 0;
}

function keyRow(key) {
  const row = element('tr', { className: key.active ? '' : 'over' });
  const state = key.active ? 'active' : key.state === 'deactivated' ? 'revoked' : 'expired';
  const used = element('td', { textContent: moment(key.last_used_at) });
  used.dataset.label = 'Last used:';
  row.append(
    element('th', { scope: 'row', textContent: key.name }),
    element('td', { className: 'prefix', textContent: `${key.prefix}…` }),
    element('td', { textContent: state }),
    used,
  );
  const buttons = element('td');
  if (key.active) {
    for (const [label, change] of Object.entries({ Rotate: rotate, Revoke: revoke })) {
      const button = element('button', { type: 'button', textContent: label });
      button.disabled = label === 'Rotate' && key.rotated_to !== null;
      button.setAttribute('aria-label', `${label} ${key.name}`);
      button.addEventListener('click', () => attempt(() => change(key)));
      buttons.append(button);
    }
  }
  row.append(buttons);
  return row;
}

async function showAnalytics() {
  const analytics = await call('GET', `/kbs/${kbId()}/analytics`).catch((error) => {
    // A service from before it could count.
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  });
  at('analytics').hidden = analytics === undefined;
  if (!analytics) return;
  at('chart').replaceChildren(chart(analytics));
  at('figures').textContent = figures(analytics);
}

/** Shows what uses a key, and waits for the person's decision. */
async function confirmed(key, title, label, withGrace) {
  const usage = await call('GET', `/api-keys/${key.id}/usage`);
  at('change-title').textContent = title;
  const facts = {
    'Requests in 24 hours': usage.requests_24h,
    'Requests in 30 days': usage.requests_30d,
    'Last used': moment(usage.last_used_at),
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
  await call('PATCH', `/api-keys/${key.id}/revoke`);
  at('status').textContent = `${key.name} is revoked.`;
  await showKeys();
}

async function rotate(key) {
  if (!(await confirmed(key, `Rotate ${key.name}?`, 'Rotate', true))) return;
  const body = { grace_period_seconds: Number(at('grace-period').value) };
  await issue(`/api-keys/${key.id}/rotate`, body);
}

async function issue(path, body) {
  // Should the answer be lost on the way, sending it again makes no second key.
  const once = { 'idempotency-key': crypto.randomUUID() };
  const send = () => call('POST', path, body, once);
  const { api_key: secret } = await send().catch((error) => {
    if (error instanceof Refusal) throw error;
    return send();
  });
  at('secret').textContent = secret;
  at('copied').textContent = '';
  at('secret-dialog').showModal();
  await showKeys();
}

at('kb').addEventListener('change', () => attempt(showKnowledgeBase));
at('create').addEventListener('submit', (event) => {
  event.preventDefault();
  const { name, environment } = event.target.elements;
  void attempt(async () => {
    const body = { name: name.value, environment: environment.value };
    await issue(`/kbs/${kbId()}/api-keys`, body);
    event.target.reset();
  });
});
at('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(at('secret').textContent);
  at('copied').textContent = 'Copied.';
});
at('secret-stored').addEventListener('click', () => at('secret-dialog').close());
// By whichever way it is closed, the secret leaves the page.
at('secret-dialog').addEventListener('close', () => {
  at('secret').textContent = '';
});
at('change-cancel').addEventListener('click', () => at('change-dialog').close());
at('change-confirm').addEventListener('click', () => at('change-dialog').close('yes'));

await attempt(showKnowledgeBases);
