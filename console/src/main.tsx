import { render } from 'preact';
import { App } from './app.js';
import { startSession } from './session.js';
import './style.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app');
startSession().then(
  (session) => {
    render(<App session={session} />, root);
  },
  (error: unknown) => {
    render(<p role="alert">{error instanceof Error ? error.message : String(error)}</p>, root);
  },
);
