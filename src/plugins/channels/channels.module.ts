import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ChatModule } from '../../chat/chat.module.js';
import { ConversationsModule } from '../../chat/conversations/conversations.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { ChannelAnswer } from './channel-answer.entity.js';
import { ChannelAnswering } from './channel-answering.js';
import { ChannelAskers } from './channel-askers.js';
import { ChannelConnections } from './channel-connections.js';
import { ChannelEventRow } from './channel-event.entity.js';
import { ChannelEventsController } from './channel-events.controller.js';
import { ChannelIntake } from './channel-intake.js';
import { ChannelJob } from './channel-job.js';
import { ChannelNotices } from './channel-notices.js';
import { ChannelPeople } from './channel-people.js';
import { ChannelPorts } from './channel-ports.js';
import { ChannelQueue } from './channel-queue.js';
import { ChannelRatings } from './channel-ratings.js';
import { ChannelReplies } from './channel-replies.js';
import { ChannelSecrets } from './channel-secrets.js';
import { Channel } from './channel.entity.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { SlackApi } from './slack/slack-api.js';
import { SlackPort } from './slack/slack-port.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Channel, ChannelEventRow, ChannelAnswer]),
    ApiKeysModule,
    KnowledgeBasesModule,
    ChatModule,
    ConversationsModule,
  ],
  controllers: [ChannelsController, ChannelEventsController],
  providers: [
    ChannelsService,
    ChannelConnections,
    ChannelSecrets,
    ChannelIntake,
    ChannelQueue,
    ChannelJob,
    ChannelAnswering,
    ChannelAskers,
    ChannelPeople,
    ChannelReplies,
    ChannelNotices,
    ChannelRatings,
    ChannelPorts,
    SlackApi,
    SlackPort,
  ],
})
export class ChannelsModule {}
