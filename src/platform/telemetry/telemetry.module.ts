import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { stopTelemetry } from './start-telemetry.js';

/** Sends the last spans when the service stops. */
@Module({})
export class TelemetryModule implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return stopTelemetry();
  }
}
