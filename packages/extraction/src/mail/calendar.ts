import type { Block, ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { tidy, tidyLines } from '../tidy.js';

const MAX_EVENTS = 200;
const MAX_ATTENDEES = 50;
const CALENDAR = /^(?:text\/calendar|application\/(?:x-)?ics)\b/i;
const PROPERTY =
  /^([A-Z][A-Z0-9-]*)((?:;[A-Z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):(.*)$/i;
const TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?$/;

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

export const isCalendar = (name: string, declaredType: string): boolean =>
  CALENDAR.test(declaredType) || /\.(?:ics|ifb)$/i.test(name);

/** The events and tasks of a calendar, each under its summary. */
export function readCalendar(bytes: Uint8Array, context: ReadingContext): Block[] {
  const blocks: Block[] = [];
  // Long lines are folded: a line that begins with a space continues the previous one.
  const lines = decodeText(bytes)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);
  let event: Property[] | undefined;
  let inner = 0;
  let method = '';
  let count = 0;
  for (const line of lines) {
    const property = parseProperty(line);
    if (!property) continue;
    const { name, value } = property;
    const isEvent = name === 'BEGIN' && /^V(?:EVENT|TODO|JOURNAL)$/i.test(value);
    if (isEvent && count++ < MAX_EVENTS) event = [];
    else if (name === 'METHOD') method = value;
    else if (event && name === 'BEGIN') inner++;
    else if (event && name === 'END' && inner > 0) inner--;
    else if (event && name === 'END') {
      blocks.push(...eventBlocks(event, method, context));
      event = undefined;
    } else if (event && inner === 0) event.push(property);
  }
  if (count > MAX_EVENTS) {
    context.warn({ code: 'not_read', what: `events after the first ${MAX_EVENTS}` });
  }
  return blocks;
}

function parseProperty(line: string): Property | undefined {
  const [, name, parameters = '', value = ''] = PROPERTY.exec(line) ?? [];
  if (name === undefined) return undefined;
  const found = parameters
    .split(/;(?=[A-Z0-9-]+=)/i)
    .map((parameter) => /^([^=]+)=(.*)$/.exec(parameter))
    .map((match): [string, string] => [
      match?.[1]?.toUpperCase() ?? '',
      match?.[2]?.replace(/^"(.*)"$/, '$1') ?? '',
    ]);
  return { name: name.toUpperCase(), parameters: new Map(found), value };
}

function eventBlocks(
  properties: readonly Property[],
  method: string,
  context: ReadingContext,
): Block[] {
  const all = (name: string) => properties.filter((property) => property.name === name);
  const text = (name: string) => unescapeText(all(name)[0]?.value ?? '');
  const [start, end] = [all('DTSTART')[0], all('DTEND')[0] ?? all('DUE')[0]];
  const isCancelled = /^CANCEL/i.test(text('STATUS')) || /^CANCEL$/i.test(method);
  const attendees = all('ATTENDEE').map(formatPerson);
  if (attendees.length > MAX_ATTENDEES) {
    context.warn({ code: 'not_read', what: `attendees after the first ${MAX_ATTENDEES}` });
  }
  const lines: [name: string, value: string][] = [
    ['Status', isCancelled ? 'cancelled' : ''],
    ['Start', start ? formatTime(start) : ''],
    ['End', end ? formatTime(end) : ''],
    ['Duration', text('DURATION')],
    [
      'Repeats',
      all('RRULE')
        .map(({ value }) => describeRule(value))
        .join('; '),
    ],
    ['Except', all('EXDATE').map(formatTime).join(', ')],
    ['Place', text('LOCATION')],
    ['Organizer', all('ORGANIZER').map(formatPerson).join(', ')],
    ['Attendees', attendees.slice(0, MAX_ATTENDEES).join(', ')],
  ];
  const about = lines.flatMap(([name, value]) => (value === '' ? [] : `${name}: ${tidy(value)}`));
  const summary = tidy(text('SUMMARY')) || 'Event';
  const description = tidyLines(text('DESCRIPTION'));
  return [
    { kind: 'heading', level: 1, text: summary },
    // The summary is repeated, so that a passage names the event even if its heading is not shown.
    { kind: 'paragraph', text: [summary, ...about].join('\n') },
    ...(description === '' ? [] : [{ kind: 'paragraph', text: description } as const]),
  ];
}

const unescapeText = (value: string): string =>
  value.replace(/\\([nN,;\\])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));

/** Formats a time as `2026-04-05 09:00 UTC`, with its own time zone; a whole day as its date. */
function formatTime({ parameters, value }: Property): string {
  const zone = parameters.get('TZID') ?? '';
  return value
    .split(',')
    .map((each) => {
      const [all, year = '', month = '', day = '', hour, minute = '', utc] = TIME.exec(each) ?? [];
      if (all === undefined) return each;
      const date = `${year}-${month}-${day}`;
      const place = utc === undefined ? zone : 'UTC';
      return hour === undefined ? date : `${date} ${hour}:${minute} ${place}`.trimEnd();
    })
    .join(', ');
}

function formatPerson({ parameters, value }: Property): string {
  const address = value.replace(/^mailto:/i, '');
  const name = parameters.get('CN') ?? '';
  return name === '' || name === address ? address : `${name} <${address}>`;
}

/** A rule such as `FREQ=WEEKLY;BYDAY=MO` as `weekly, by day MO`. */
function describeRule(rule: string): string {
  const parts = new Map(
    rule.split(';').map((part): [string, string] => {
      const [name = '', value = ''] = part.split('=');
      return [name.toUpperCase(), value];
    }),
  );
  const [frequency = '', interval = '1'] = [
    parts.get('FREQ')?.toLowerCase(),
    parts.get('INTERVAL'),
  ];
  const names: [part: string, text: string][] = [
    ['BYDAY', 'by day'],
    ['BYMONTHDAY', 'by day of the month'],
    ['BYMONTH', 'by month'],
    ['COUNT', 'times'],
    ['UNTIL', 'until'],
  ];
  const others = names.flatMap(([part, text]) => {
    const value = parts.get(part);
    if (value === undefined) return [];
    if (part === 'COUNT') return `${value} ${text}`;
    const shown =
      part === 'UNTIL' ? formatTime({ name: part, parameters: new Map(), value }) : value;
    return `${text} ${shown}`;
  });
  const every = interval === '1' ? [] : [`interval ${interval}`];
  return [frequency, ...every, ...others].join(', ');
}
