import { Logger } from '@nestjs/common';
import { RareWarning } from '../../../platform/telemetry/rare-warning.js';

/** Says why the search engine cannot be used: once a minute, and when the reason is another one. */
export class UnavailableLog {
  private reason = '';
  private warning = new RareWarning(new Logger('SearchEngine'));

  note({ message }: Error): void {
    if (message !== this.reason) this.warning = new RareWarning(new Logger('SearchEngine'));
    this.reason = message;
    this.warning.log(message);
  }
}
