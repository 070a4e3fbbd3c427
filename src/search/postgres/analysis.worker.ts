import { type Analysis, analyse, type PassageText } from '../analysis.js';

export default (passages: PassageText[]): Analysis[] => passages.map(analyse);
