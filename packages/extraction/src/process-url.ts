/** The program that reads documents, to be started by `fork`; it answers an `ExtractionRequest[]`. */
export const EXTRACTION_PROCESS = new URL('./extraction.process.js', import.meta.url);
