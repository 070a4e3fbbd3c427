import { createHash } from 'node:crypto';
import type { ApiKeyScope } from '../../api-keys/scope.js';
import type { AskingClient } from './asking-client.js';

/** With the colours and sizes of the console. */
const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#16201b, #e8eeeb);
  --quiet: light-dark(#57635d, #9fada6); --surface: light-dark(#ffffff, #101513);
  --raised: light-dark(#f5f7f6, #1b2320); --line: light-dark(#e4e9e6, #28322d);
  --border: light-dark(#7f8c85, #77857e); --accent: light-dark(#1b6a4f, #74d6b1);
  --on-accent: light-dark(#ffffff, #08160f); --danger: light-dark(#a8241d, #ff9e96);
  --danger-soft: light-dark(#fdecea, #3a1c1a); --waiting: light-dark(#7a5200, #f0c674);
  --waiting-soft: light-dark(#fcf2db, #362a10); }
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--surface); font: 1rem/1.5 ui-sans-serif,
  system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
.brand { display: flex; gap: .5rem; align-items: center; margin-block-end: 1.5rem;
  font-size: .875rem; font-weight: 600; }
.brand svg { width: 1.375rem; height: 1.375rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, ul, dl { margin: 0 0 1rem; }
p { overflow-wrap: anywhere; }
ul { padding-inline-start: 1.25rem; }
p:has(+ ul) { margin-block-end: .25rem; }
dl { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem;
  background: var(--raised); }
dt { color: var(--quiet); font-size: .8125rem; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
dd:last-child { margin-block-end: 0; }
label, legend { font-weight: 600; padding: 0; }
label[for] { display: block; margin-block-end: .25rem; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
fieldset label { display: flex; gap: .5rem; padding-block: .375rem; font-weight: 400; }
input[type=checkbox] { flex: none; width: 1.125rem; height: 1.125rem; margin: .1875rem 0;
  accent-color: var(--accent); }
input[type=password] { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  color: inherit; background: var(--surface); border: 1px solid var(--border);
  border-radius: .375rem; }
input[aria-invalid] { border-color: var(--danger); }
.hint { color: var(--quiet); font-size: .875rem; margin-block: .25rem 1rem; }
.warning, .error { padding: .75rem 1rem; border-radius: .375rem; }
.warning { color: var(--waiting); background: var(--waiting-soft); }
.error { color: var(--danger); background: var(--danger-soft); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-block-start: 1rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600;
  border: 1px solid var(--border); border-radius: .375rem; color: inherit;
  background: var(--surface); cursor: pointer; }
button:hover { background: var(--raised); }
button.main, button.main:hover { color: var(--on-accent); background: var(--accent);
  border-color: var(--accent); }
button.main:hover { filter: brightness(.92); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
hr { border: 0; border-block-start: 1px solid var(--line); margin-block: 1.5rem; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/**
 * The headers of these pages. They name no `form-action`: browsers apply it to where the form's answer leads
 * too, and that is the client's address.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  // With `no-referrer`, browsers would send the form with `Origin: null`.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** What a person who is signed in can connect an agent to. */
export interface SignedInPerson {
  readonly name: string;
  readonly knowledgeBases: readonly { readonly id: string; readonly name: string }[];
}

export interface ConnectPage {
  /** Where the form is sent to. */
  readonly action: string;
  readonly client: AskingClient;
  readonly scopes: readonly ApiKeyScope[];
  readonly person: SignedInPerson | undefined;
  /** Whether persons can sign in with an identity provider. */
  readonly offersSignIn: boolean;
  /** Why the last attempt was refused. */
  readonly error?: string;
}

const ABILITIES: Readonly<Partial<Record<ApiKeyScope, string>>> = {
  query: 'search the documents that you open to it, and read passages of them',
  chat: 'ask questions, which are answered from these documents',
  feedback: 'rate answers',
};

/** The page on which somebody connects an agent. */
export function renderConnect(connect: ConnectPage): string {
  const { action, client, scopes, person, offersSignIn, error } = connect;
  const abilities = scopes.flatMap((scope) => ABILITIES[scope] ?? []);
  const showsSignIn = offersSignIn && !person;
  const isSecond = canChoose(person) || showsSignIn;
  return page(
    `Connect ${client.name}`,
    `<h1>Connect <bdi>${escape(client.name)}</bdi>?</h1>
    ${error === undefined ? '' : `<p class="error" role="alert" id="error">${escape(error)}</p>`}
    <dl>
      <dt>The name it gives itself</dt><dd><bdi>${escape(client.name)}</bdi></dd>
      ${client.host === null ? '' : `<dt>Who vouches for it</dt><dd>${escape(client.host)}</dd>`}
      <dt>Where it leads you afterwards</dt><dd>${escape(client.leadsTo)}</dd>
    </dl>
    ${client.isVerified ? '' : `<p class="warning">Nobody has verified that this is ${client.host === null ? 'what it says' : 'an app of this host'}. Go on only if you have just started connecting it yourself.</p>`}
    <p>It will be able to:</p>
    <ul>${abilities.map((one) => `<li>${one}</li>`).join('')}</ul>
    ${person ? renderPersonForm(action, person) : ''}
    ${showsSignIn ? renderSignInForm(action) : ''}
    ${renderKeyForm(action, { isRefused: error !== undefined, isSecond })}`,
  );
}

const CANCEL = '<button name="decision" value="cancel" formnovalidate>Cancel</button>';

const canChoose = (person: SignedInPerson | undefined): boolean =>
  person !== undefined && person.knowledgeBases.length > 0;

/**
 * @param form.isRefused whether the last attempt was refused
 * @param form.isSecond whether it stands below the form of the person, which may be what was refused
 */
function renderKeyForm(
  action: string,
  { isRefused, isSecond }: { readonly isRefused: boolean; readonly isSecond: boolean },
): string {
  const isInvalid = isRefused && !isSecond;
  return `<form method="post" action="${escape(action)}">
      <label for="key">API key</label>
      <input id="key" name="api_key" type="password" required autocomplete="off" autocapitalize="none"
        spellcheck="false" maxlength="200"${isInvalid ? ' aria-invalid="true"' : ''}
        aria-describedby="${isInvalid ? 'error ' : ''}key-hint">
      <p class="hint" id="key-hint">It begins with <code>rag_live_</code> or <code>rag_test_</code>. The
        app never sees the key, and can read no more than the key allows. It loses access when the key is
        revoked, or when the app is disconnected.</p>
      <div class="actions">
        ${
          isSecond
            ? '<button name="decision" value="connect">Connect with the key</button>'
            : `<button class="main" name="decision" value="connect">Connect</button>${CANCEL}`
        }
      </div>
    </form>`;
}

function renderPersonForm(action: string, person: SignedInPerson): string {
  const { name, knowledgeBases } = person;
  const choices = knowledgeBases.map(
    (kb) => `<label><input type="checkbox" name="${escape(kb.id)}" value="open">
      <bdi>${escape(kb.name)}</bdi></label>`,
  );
  return canChoose(person)
    ? `<form method="post" action="${escape(action)}">
      <fieldset aria-describedby="choices-hint"><legend>What it may open</legend>
      <p class="hint" id="choices-hint">You are signed in as <bdi>${escape(name)}</bdi>. A key with the
        app’s name is made for what you choose, and finds what you may read.</p>
      ${choices.join('')}</fieldset>
      <div class="actions">
        <button class="main" name="decision" value="choose">Connect</button>${CANCEL}
      </div>
    </form><hr><p>Or use a key that you have:</p>`
    : `<p>You are signed in as <bdi>${escape(name)}</bdi>, who may create keys in no knowledge base.</p>`;
}

const renderSignInForm = (action: string): string =>
  `<form method="post" action="${escape(action)}">
    <p>Sign in to choose among your knowledge bases:</p>
    <div class="actions">
      <button class="main" name="decision" value="sign-in">Sign in</button>${CANCEL}
    </div>
  </form><hr><p>Or use a key that you have:</p>`;

/** The page for what cannot go on. */
export const renderFailure = (reason: string): string =>
  page(
    'Not connected',
    `<h1>The app was not connected</h1>
    <p class="error" role="alert">${escape(reason)}</p>
    <p>Go back to the app, and connect it again.</p>`,
  );

/** The icon of the console, drawn in the page: its policy lets no picture in. */
const ICON = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f5f4a"/><circle
  cx="12" cy="16" r="5" fill="none" stroke="#fff" stroke-width="3"/><path d="M17 16h10m-3 0v5" stroke="#fff"
  stroke-width="3" fill="none"/></svg>`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} – Latchkey</title>
<style>${STYLE}</style>
</head>
<body><main><p class="brand">${ICON}Latchkey</p>${body}</main></body>
</html>
`;

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
