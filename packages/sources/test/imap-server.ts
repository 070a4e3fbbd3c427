import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export const CREDENTIALS = { username: 'ada', password: 'app-password-1' };

export interface TestMessage {
  readonly uid: number;
  readonly source: string;
  /** As IMAP writes it. */
  readonly arrivedAt: string;
}

export interface TestFolder {
  uidValidity: number;
  readonly messages: TestMessage[];
  flags?: string;
}

/** A mail server with the part of IMAP that sources use. */
export class ImapServer {
  /** By the name as it is sent: in modified UTF-7. */
  readonly folders = new Map<string, TestFolder>();
  delimiter = '/';
  /** The names of the commands, with `UID` left out. */
  readonly commands: string[] = [];
  /** Answers instead of the server, when it returns true. */
  intercept: (command: string, socket: Socket, tag: string) => boolean = () => false;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((socket) => {
    socket.setNoDelay();
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    this.serve(socket);
  });

  static async start(): Promise<ImapServer> {
    const imap = new ImapServer();
    imap.server.listen(0, '127.0.0.1');
    await once(imap.server, 'listening');
    return imap;
  }

  get config() {
    const { port } = this.server.address() as AddressInfo;
    return { url: `imap://127.0.0.1:${port}`, folders: ['*'] };
  }

  /** Puts a message in a folder, which is made if it is missing. */
  add(folder: string, uid: number, headers: string, text = 'Text.', arrivedAt = ARRIVED): void {
    const found = this.folders.get(folder) ?? { uidValidity: 7, messages: [] };
    this.folders.set(folder, found);
    const at = found.messages.findIndex((one) => one.uid === uid);
    const message = { uid, source: `${headers}\r\n\r\n${text}`, arrivedAt };
    found.messages.splice(at === -1 ? found.messages.length : at, at === -1 ? 0 : 1, message);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    let buffered = '';
    let selected: TestFolder | undefined;
    socket.write('* OK ready\r\n');
    socket.on('data', (data) => {
      buffered += data.toString();
      const lines = buffered.split('\r\n');
      buffered = lines.pop() ?? '';
      for (const line of lines) {
        const [, tag = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
        const command = rest.replace(/^UID /, '');
        this.commands.push(command);
        if (this.intercept(command, socket, tag)) continue;
        const name = /^(?:EXAMINE|SELECT) "?(.*?)"?$/.exec(command)?.[1];
        if (name !== undefined) selected = this.folders.get(name) ?? this.folders.get(toCase(name));
        const isDone = name === undefined || selected !== undefined;
        for (const answer of this.answer(command, selected)) socket.write(`* ${answer}\r\n`);
        const isRefused = command.startsWith('LOGIN') && !command.includes(CREDENTIALS.password);
        socket.write(`${tag} ${isDone && !isRefused ? 'OK' : 'NO'} done\r\n`);
      }
    });
  }

  private answer(command: string, selected: TestFolder | undefined): string[] {
    const [name = ''] = command.split(' ');
    if (name === 'CAPABILITY') return ['CAPABILITY IMAP4rev1'];
    if (name === 'LIST') {
      const pattern = /"([^"]*)"$/.exec(command)?.[1] ?? '';
      const found = [...this.folders].filter(([one]) => pattern === '*' || one === pattern);
      return (pattern === '' ? [['', {}] as const] : found).map(
        ([folder, { flags = '' }]: readonly [string, Partial<TestFolder>]) =>
          `LIST (${flags}) "${this.delimiter}" "${folder}"`,
      );
    }
    if (!selected) return [];
    const { messages, uidValidity } = selected;
    if (name === 'EXAMINE') return [`${messages.length} EXISTS`, `OK [UIDVALIDITY ${uidValidity}]`];
    const uids = new Set(/ ([\d,:*]+)/.exec(command)?.[1]?.split(',').flatMap(toNumbers));
    const isAll = name === 'SEARCH' && !/UID/.test(command);
    const wanted = messages.filter(({ uid }) => isAll || uids.has(uid));
    if (name === 'SEARCH') return [`SEARCH ${wanted.map(({ uid }) => uid).join(' ')}`];
    if (name !== 'FETCH') return [];
    return wanted.map((one) => {
      const answer = command.includes('BODY') ? toBody(one) : toEnvelope(one);
      return `${messages.indexOf(one) + 1} FETCH (UID ${one.uid} ${answer})`;
    });
  }
}

/** INBOX has any case. */
const toCase = (name: string) => (name === 'INBOX' ? 'Inbox' : name);

const ARRIVED = '05-Mar-2025 08:00:00 +0000';

const toNumbers = (range: string): number[] => {
  const [from = 0, to = from] = range.split(':').map(Number);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
};

const toBody = ({ source }: TestMessage) => `BODY[]<0> {${Buffer.byteLength(source)}}\r\n${source}`;

function toEnvelope({ source, arrivedAt }: TestMessage): string {
  const header = (name: string) => {
    const value = new RegExp(`^${name}: (.*)$`, 'im').exec(source)?.[1]?.trim();
    return value === undefined ? 'NIL' : `"${value.replaceAll('"', String.raw`\"`)}"`;
  };
  const from = '((NIL NIL "ben" "example.com"))';
  return `RFC822.SIZE ${Buffer.byteLength(source)} INTERNALDATE "${arrivedAt}" ENVELOPE (${header('Date')} ${header('Subject')} ${from} NIL NIL NIL NIL NIL NIL ${header('Message-ID')})`;
}
