import { render } from 'preact';
import { Portal } from './portal.js';
import '../src/styles/tokens.css';
import '../src/styles/base.css';
import '../src/styles/forms.css';
import '../src/styles/table.css';
import '../src/styles/pages.css';
import '../src/styles/answers.css';
import './portal.css';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app');
render(<Portal />, root);
