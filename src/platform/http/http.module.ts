import { Module } from '@nestjs/common';
import { ConnectionDrain } from './connection-drain.js';
import { SecurityTxtController } from './security-txt.controller.js';

@Module({ controllers: [SecurityTxtController], providers: [ConnectionDrain] })
export class HttpModule {}
