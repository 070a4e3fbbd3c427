import { type AnalysedPassage, analysePassage, type PassageText } from '../analyse-passage.js';

export default (passages: PassageText[]): AnalysedPassage[] => passages.map(analysePassage);
