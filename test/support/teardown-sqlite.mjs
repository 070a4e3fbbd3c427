import { tearDown } from './engine-setup.mjs';

export default () => tearDown('sqlite');
