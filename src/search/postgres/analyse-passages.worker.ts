import { lowerPriorityOfThread } from '../../jobs/lower-priority.js';
import { type AnalysedPassage, analysePassage, type PassageText } from '../analyse-passage.js';

lowerPriorityOfThread();

export default (passages: PassageText[]): AnalysedPassage[] => passages.map(analysePassage);
