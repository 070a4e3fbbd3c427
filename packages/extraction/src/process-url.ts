/** The program that reads documents, to be started by `fork`; it answers an `ExtractionRequest[]`. */
export const EXTRACTION_PROCESS = new URL('./extraction.process.js', import.meta.url);
/** The program that recognises pages; it answers a `RecognitionTask`. */
export const RECOGNITION_PROCESS = new URL('./recognition/recognition.process.js', import.meta.url);
