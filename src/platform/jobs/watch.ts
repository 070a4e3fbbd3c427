import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 1000;

/**
 * Looks once a second, never twice at once, whether answers that are being written have to end.
 *
 * Not a BackgroundJob, because those stop before the last answers are written.
 */
export abstract class Watch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private timer?: NodeJS.Timeout;
  private looking = false;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.lookOnce(), INTERVAL_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  protected abstract hasNone(): boolean;
  protected abstract look(): Promise<void>;

  private async lookOnce(): Promise<void> {
    if (this.looking || this.hasNone()) return;
    this.looking = true;
    try {
      await this.look();
    } catch (error) {
      // The next second looks again.
      this.logger.warn(error);
    } finally {
      this.looking = false;
    }
  }
}
