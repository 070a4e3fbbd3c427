import { Logger } from '@nestjs/common';
import { RareWarning } from '../../../platform/telemetry/rare-warning.js';

/** Logs why the search engine cannot be used: once a minute, and whenever the reason changes. */
export class UnavailableLog {
  private reason = '';
  private warning = new RareWarning(new Logger('SearchEngine'));

  note({ message }: Error): void {
    if (message !== this.reason) this.warning = new RareWarning(new Logger('SearchEngine'));
    this.reason = message;
    this.warning.log(message);
  }
}
