import { render } from 'preact';
import { App } from './app.js';
import { keepFocus } from './focus.js';
import { startSession } from './session.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/forms.css';
import './styles/table.css';
import './styles/menus.css';
import './styles/pages.css';
import './styles/answers.css';
import './plugins/document-versions/diff.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app');
keepFocus(root);
startSession().then(
  (started) => {
    render(<App {...started} />, root);
  },
  (error: unknown) => {
    render(<p role="alert">{error instanceof Error ? error.message : String(error)}</p>, root);
  },
);
