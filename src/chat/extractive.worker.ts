import { type Reading, type ReadingRequest, readPassages } from './read-passages.js';

export default (request: ReadingRequest): Reading => readPassages(request);
