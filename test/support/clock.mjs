import { readFileSync } from 'node:fs';

/**
 * Loaded into a service with `--import`: its clock is ahead by as many milliseconds as the file
 * CLOCK_FILE says, so that a test need not wait for minutes to pass. Timers are as they were.
 */
const file = String(process.env['CLOCK_FILE']);
const now = Date.now.bind(Date);
Date.now = () => now() + Number(readFileSync(file, 'utf8'));
