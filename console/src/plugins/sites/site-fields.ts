import type { Site } from '../../api.js';
import { readFields, toNumber } from '../../components/field.js';

/** The values of new sites, as the service has them. */
export const DEFAULTS = {
  daily_messages: 500,
  per_visitor_per_minute: 10,
  per_address_per_day: 200,
  proof_of_work: 16,
};

const readLines = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const LOOPBACK = /^(?:[\w-]+\.)*localhost\b|^127\.|^\[::1\]/;

/** The origin of an address of a page, such as one copied from the browser. What is none is left to the service. */
export function toOrigin(line: string): string {
  const scheme = LOOPBACK.test(line) ? 'http' : 'https';
  const url = URL.parse(line.includes('://') ? line : `${scheme}://${line}`);
  return url && /^https?:$/.test(url.protocol) ? url.origin : line;
}

/** Reads the fields of a site from its form. */
export function readSite(form: HTMLFormElement) {
  const fields = readFields(form);
  const { name = '', accent, position, color_scheme: scheme, work } = fields;
  return {
    name,
    origins: [...new Set(readLines(fields['origins']).map(toOrigin))],
    greeting: fields['greeting'] ?? null,
    suggestions: readLines(fields['suggestions']),
    // What is left to the widget is left out.
    theme: {
      ...(accent !== undefined && { accent }),
      ...(position === 'left' && { position: 'left' as const }),
      ...((scheme === 'light' || scheme === 'dark') && { color_scheme: scheme }),
    } satisfies Site['theme'],
    contact_url: fields['contact_url'] ?? null,
    daily_messages: Number(fields['daily_messages']),
    per_visitor_per_minute: Number(fields['per_visitor_per_minute']),
    per_address_per_day: toNumber(fields['per_address_per_day']),
    proof_of_work: Number(work === 'bits' ? fields['proof_of_work'] : work),
  };
}
