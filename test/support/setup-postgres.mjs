import { setUp } from './engine-setup.mjs';

export default () => setUp('postgres');
