import { describe, expect, it } from '@jest/globals';
import { docx, documentXml, paragraph, zip } from '../../../test/support/files.js';
import { outline, read } from '../test/reading.js';
import { readEml } from './read-eml.js';

const of = async (mail: string) => outline((await read(readEml, mail)).blocks);

const HEADERS =
  'From: Jane Doe <jane@example.com>\nTo: shop@example.com\nDate: Tue, 01 Oct 2024 12:34:56 -0500\nSubject: =?utf-8?q?R=C3=BCckgabe?=\nMIME-Version: 1.0\n';
const ABOUT = 'From: Jane Doe <jane@example.com>\nTo: shop@example.com\nDate: 2024-10-01 17:34 UTC';

interface Part {
  readonly type: string;
  readonly name?: string;
  readonly content: string | Uint8Array;
}

const mixed = (parts: readonly Part[], headers = HEADERS, boundary = 'b') =>
  `${headers}Content-Type: multipart/mixed; boundary="${boundary}"\n\n${parts
    .map(
      ({ type, name, content }) =>
        `--${boundary}\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\n${name === undefined ? '' : `Content-Disposition: attachment; filename="${name}"\n`}\n${Buffer.from(content).toString('base64')}\n`,
    )
    .join('')}--${boundary}--\n`;

describe('a mail', () => {
  it('has its subject, who wrote it to whom, and its text without quotation marks', async () => {
    expect(await of(`${HEADERS}\nHello,\n\n> I would like\n> to return it.\n`)).toEqual([
      '# Rückgabe',
      ABOUT,
      'Hello,',
      'I would like\nto return it.',
    ]);
  });

  it('has one body of two', async () => {
    const mail = mixed([
      { type: 'text/plain', content: 'Plain.' },
      { type: 'text/html', content: '<p>Rich <b>text</b>.</p><ul><li>one</li></ul>' },
    ]).replace('multipart/mixed', 'multipart/alternative');
    expect(await of(mail)).toEqual(['# Rückgabe', ABOUT, 'Rich text.', '– one']);
  });

  it.each([
    ['windows-1250', [0xa3, 0xf3, 0x64, 0x9f], 'days.csv', 'Łódź'],
    ['"KOI8-R"', [0xed, 0xc9, 0xd2], '=?utf-8?q?=C5=82.csv?=', 'Мир'],
    ['shift_jis', [0x95, 0x69, 0x96, 0xbc], 'x.csv', '品名'],
    ['iso-8859-1', [...Buffer.from('Łódź')], 'x.csv', 'Łódź'],
  ])(
    'has its attachments read in the encoding that it names: %s',
    async (charset, bytes, name, word) => {
      const content = Buffer.concat([
        Buffer.from('Name,Days\n'),
        Buffer.from(bytes),
        Buffer.from(',9\n'),
      ]);
      const mail = mixed([
        { type: 'text/plain; charset=iso-8859-1', content: 'See below.' },
        { type: `text/csv;\n charset=${charset}`, name, content },
      ]);
      const { blocks, warnings } = await read(readEml, mail);
      expect(outline(blocks)).toContain(`| ${word} | 9`);
      expect(warnings).toEqual([]);
    },
  );

  it('has an attachment whose encoding it names wrongly read by a guess', async () => {
    const content = Buffer.concat([
      Buffer.from('Name,Days\n'),
      Buffer.from([0xa3, 0xf3, 0x64, 0x9f]),
    ]);
    const mail = mixed([{ type: 'text/csv; charset=shift_jis', name: 'x.csv', content }]);
    const { warnings } = await read(readEml, mail);
    expect(warnings).toEqual([{ code: 'encoding_guessed', what: expect.any(String) }]);
  });

  it('has its attachments read by their formats, and names those that are none', async () => {
    const document = docx(documentXml(paragraph('Policy', 'Heading1') + paragraph('Thirty days.')));
    const mail = mixed([
      { type: 'text/plain', content: 'See below.' },
      { type: 'application/octet-stream', name: 'policy.docx', content: document },
      { type: 'image/png', name: 'photo.png', content: Buffer.from('89504e470d0a1a0a0000', 'hex') },
      { type: 'text/csv', name: 'days.csv', content: 'Country,Days\nIceland,9\n' },
    ]);
    expect(await of(mail)).toEqual([
      '# Rückgabe',
      ABOUT,
      'See below.',
      'Attachments: photo.png',
      '## policy.docx',
      '### Policy',
      'Thirty days.',
      '## days.csv',
      '[Country | Days]',
      '| Iceland | 9',
    ]);
  });

  it('names drawings, appointments and signatures, which are text that nobody reads', async () => {
    const mail = mixed([
      { type: 'text/plain', content: 'See below.' },
      { type: 'image/svg+xml', name: 'logo.svg', content: '<svg><text>Logo</text></svg>' },
      { type: 'text/calendar', name: 'invite.ics', content: 'BEGIN:VCALENDAR\nEND:VCALENDAR\n' },
      { type: 'application/pgp-signature', name: 'signature.asc', content: 'iQEzBAABCAAdFiEE' },
    ]);
    expect(await of(mail)).toEqual([
      '# Rückgabe',
      ABOUT,
      'See below.',
      'Attachments: logo.svg, invite.ics, signature.asc',
    ]);
  });

  it('has the files of archives that are attached to it, to a depth', async () => {
    let content = zip([{ name: 'innermost.txt', content: 'Innermost.' }]);
    for (let depth = 1; depth <= 3; depth++) {
      content = zip([
        { name: `docs/${depth}.csv`, content: 'Country,Days\nIceland,9\n' },
        { name: '__MACOSX/docs/._1.csv', content: 'Left out.' },
        { name: 'empty.bin', content: Buffer.from([0, 1, 2]) },
        { name: `${depth}.zip`, content },
      ]);
    }
    const lines = await of(mixed([{ type: 'application/zip', name: 'all.zip', content }]));
    expect(lines).toEqual([
      '# Rückgabe',
      ABOUT,
      '## all.zip',
      'Attachments: empty.bin',
      '### docs/3.csv',
      '[Country | Days]',
      '| Iceland | 9',
      '### 3.zip',
      'Attachments: empty.bin',
      '#### docs/2.csv',
      '[Country | Days]',
      '| Iceland | 9',
      '#### 2.zip',
      'Attachments: empty.bin, 1.zip',
      '##### docs/1.csv',
      '[Country | Days]',
      '| Iceland | 9',
    ]);
  });

  it('is read without files of archives that are too large or too many, encrypted or damaged', async () => {
    const bomb = zip([
      { name: 'bomb.txt', content: Buffer.alloc(40 * 1024 * 1024, 'x ') },
      { name: 'secret.txt', content: 'Secret.', encrypted: true },
    ]);
    const files = zip(
      Array.from({ length: 15 }, (_, n) => ({ name: `${n}.txt`, content: `File ${n}.` })),
    );
    const many = zip(Array.from({ length: 15 }, (_, n) => ({ name: `${n}.zip`, content: files })));
    const lines = await of(
      mixed([
        { type: 'application/zip', name: 'damaged.zip', content: files.subarray(0, 300) },
        {
          type: 'application/zip',
          name: 'folders.zip',
          content: zip([{ name: 'a/', content: '' }]),
        },
        { type: 'application/zip', name: 'bomb.zip', content: bomb },
        { type: 'application/zip', name: 'many.zip', content: many },
        { type: 'text/plain', name: 'last.txt', content: 'Last.' },
      ]),
    );
    expect(lines).toContain('Attachments: damaged.zip, folders.zip');
    expect(lines).toContain('Attachments: bomb.txt, secret.txt');
    // Two of the hundred files cannot be unpacked, and seven are archives.
    expect(lines.filter((line) => line.startsWith('File '))).toHaveLength(91);
    expect(lines).toContain('Last.');
  });

  it('has mails that are attached to it, to a depth', async () => {
    const headers = 'From: a@b.c\nMIME-Version: 1.0\n';
    let mail = `${headers}\nInnermost.\n`;
    for (let depth = 1; depth <= 5; depth++) {
      mail = mixed(
        [
          { type: 'text/plain', content: `Depth ${depth}.` },
          { type: 'message/rfc822', name: `${depth}.eml`, content: mail },
        ],
        headers,
        `b${depth}`,
      );
    }
    const lines = await of(mail);
    expect(lines.filter((line) => line.startsWith('Depth'))).toEqual([
      'Depth 5.',
      'Depth 4.',
      'Depth 3.',
      'Depth 2.',
    ]);
    expect(lines).toContain('Attachments: 2.eml');
  });

  it('is read without an attachment that is damaged, and says so', async () => {
    const damaged = docx(documentXml(paragraph('Hi'))).subarray(0, 900);
    const { blocks, warnings } = await read(
      readEml,
      mixed([
        { type: 'text/plain', content: 'See below.' },
        { type: 'application/octet-stream', name: 'policy.docx', content: damaged },
      ]),
    );
    expect(outline(blocks)).toEqual([
      '# Rückgabe',
      ABOUT,
      'See below.',
      'Attachments: policy.docx',
    ]);
    expect(warnings).toEqual([
      {
        code: 'attachment_unreadable',
        message: 'The attachment “policy.docx” could not be read.',
      },
    ]);
  });

  it('nested too deeply is refused', async () => {
    const parts = Array.from(
      { length: 200 },
      (_, n) => `Content-Type: multipart/mixed; boundary="b${n}"\n\n--b${n}\n`,
    );
    const reading = of(`${HEADERS}${parts.join('')}`);
    await expect(reading).rejects.toMatchObject({ code: 'parse_failed' });
  });

  const event = (lines: readonly string[], method = '') =>
    [
      'BEGIN:VCALENDAR',
      method,
      'BEGIN:VEVENT',
      ...lines,
      'BEGIN:VALARM',
      'TRIGGER:-PT15M',
      'DESCRIPTION:Reminder',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n');
  const REVIEW = event([
    'DTSTART:20260405T090000Z',
    'DTEND:20260405T100000Z',
    'SUMMARY:Quarterly\r\n  review\\, part 2',
    'LOCATION:Room Oslo',
    'ORGANIZER;CN="Moe, Ida":mailto:ida@example.org',
    'ATTENDEE;CN=Bob;RSVP=TRUE:mailto:bob@example.org',
    'DESCRIPTION:Bring\\nfigures.',
  ]);
  const SHOWN =
    'Quarterly review, part 2\nStart: 2026-04-05 09:00 UTC\nEnd: 2026-04-05 10:00 UTC\nPlace: Room Oslo\nOrganizer: Moe, Ida <ida@example.org>\nAttendees: Bob <bob@example.org>';

  it('has the events of its calendar once', async () => {
    const mail = mixed([
      { type: 'text/plain', content: 'Please join.' },
      { type: 'text/calendar; method=REQUEST', content: REVIEW },
      { type: 'application/ics', name: 'invite.ics', content: REVIEW },
      { type: 'application/octet-stream', name: 'again.ics', content: REVIEW },
    ]);
    expect(await of(mail)).toEqual([
      '# Rückgabe',
      ABOUT,
      'Please join.',
      '## Quarterly review, part 2',
      SHOWN,
      'Bring\nfigures.',
    ]);
  });

  it.each([
    [
      'in a time zone, again and again',
      event([
        'SUMMARY:Stand-up',
        'DTSTART;TZID=Europe/Oslo:20260406T091500',
        'DURATION:PT15M',
        'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20261231T000000Z',
        'EXDATE;TZID=Europe/Oslo:20260420T091500',
      ]),
      'Stand-up\nStart: 2026-04-06 09:15 Europe/Oslo\nDuration: PT15M\nRepeats: weekly, interval 2, by day MO,WE, until 2026-12-31 00:00 UTC\nExcept: 2026-04-20 09:15 Europe/Oslo',
    ],
    [
      'on whole days',
      event([
        'SUMMARY:会议',
        'DTSTART;VALUE=DATE:20260501',
        'DTEND;VALUE=DATE:20260503',
        'RRULE:FREQ=YEARLY;COUNT=3',
      ]),
      '会议\nStart: 2026-05-01\nEnd: 2026-05-03\nRepeats: yearly, 3 times',
    ],
    [
      'cancelled',
      event(['SUMMARY:Lunch', 'DTSTART:20260501T120000'], 'METHOD:CANCEL'),
      'Lunch\nStatus: cancelled\nStart: 2026-05-01 12:00',
    ],
  ])('has an event that is %s', async (_, calendar, shown) => {
    const mail = mixed([{ type: 'text/calendar', name: 'invite.ics', content: calendar }]);
    expect(await of(mail)).toContain(shown);
  });

  it('says that a calendar without events is not read', async () => {
    const { warnings } = await read(
      readEml,
      mixed([{ type: 'text/calendar', name: 'x.ics', content: 'none' }]),
    );
    expect(warnings).toMatchObject([{ code: 'not_read', what: 'x.ics' }]);
  });

  it('says which events and attendees of a calendar are too many to be read', async () => {
    const attendees = (count: number) =>
      Array.from({ length: count }, (_, n) => `ATTENDEE:mailto:p${n}@example.org`);
    const readWarnings = async (content: string) =>
      (await read(readEml, mixed([{ type: 'text/calendar', content }]))).warnings;
    expect(await readWarnings(event(attendees(50)))).toEqual([]);
    expect(await readWarnings(event(attendees(51)))).toEqual([
      { code: 'not_read', what: 'attendees after the first 50' },
    ]);
    expect(await readWarnings(event(['SUMMARY:Lunch']).repeat(200))).toEqual([]);
    expect(await readWarnings(event(['SUMMARY:Lunch']).repeat(202))).toEqual([
      { code: 'not_read', what: 'events after the first 200' },
    ]);
  });
});
