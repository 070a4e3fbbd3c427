import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

const STREAM = `event: message_start
data: {"conversation_id":"conv_01kafdp6ygf4rs4s2cr5cvzwkc","message_id":"msg_01kafdp6ygf4rs4s2cr5cvzwkc"}

event: sources
data: {"sources":[]}

event: delta
data: {"text":"Within 30 days of delivery. [1]"}

event: message_end
data: {}
`;

/** Documents an answer that is sent whole or, with `stream`, as server-sent events. */
export const ApiStreamedAnswer = (answer: Type, stream = STREAM) =>
  applyDecorators(
    ApiExtraModels(answer),
    ApiOkResponse({
      description: 'The answer; with `stream`, as server-sent events.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(answer) } },
        'text/event-stream': { schema: { type: 'string' }, example: stream },
      },
    }),
  );
