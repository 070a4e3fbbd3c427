/** Written by `npm run generate` from openapi.json. */

export interface paths {
    "/api/v1/kbs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your knowledge bases
         * @description Those of which you are a member.
         */
        get: operations["listKnowledgeBases"];
        put?: never;
        /**
         * Create a knowledge base
         * @description You become its owner.
         */
        post: operations["createKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a knowledge base
         * @description With the number of its documents, of the passages they were cut into, and of the passages that
         *     can be found by meaning.
         */
        get: operations["getKnowledgeBase"];
        put?: never;
        post?: never;
        /**
         * Delete a knowledge base
         * @description Owners only. Everything in it goes with it, and its API keys stop at once.
         */
        delete: operations["deleteKnowledgeBase"];
        options?: never;
        head?: never;
        /**
         * Change a knowledge base
         * @description Fields that are left out stay as they are.
         */
        patch: operations["updateKnowledgeBase"];
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents of a knowledge base
         * @description Filter by status, by your own id, by a part of the title, or by whether the settings
         *     have changed since.
         */
        get: operations["listDocuments"];
        put?: never;
        /**
         * Add a document
         * @description As text in JSON, or as a file: PDF, DOCX, PPTX, XLSX, ODT, EPUB, EML, HTML, Markdown, CSV or text, detected
         *     by its content.
         *     Answers at once; the document is findable when its `status` is `ready`, a moment later. One
         *     with the same `external_id` or the same content is refused unless `on_duplicate` says
         *     otherwise.
         */
        post: operations["createDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/{document_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document
         * @description Poll it until `status` is `ready` or `failed`.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        /**
         * Delete a document
         * @description From the moment of the answer it is in no result.
         */
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        /**
         * Change a document
         * @description Fields that are left out stay as they are. A new title is searched a moment later.
         */
        patch: operations["updateDocument"];
        trace?: never;
    };
    "/api/v1/documents/{document_id}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index a document again
         * @description With the settings as they are now. Its present chunks are found until the new ones are ready.
         */
        post: operations["reindexDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index all documents of a knowledge base again
         * @description With the settings as they are now, one after the other; each stays findable meanwhile.
         */
        post: operations["reindexKnowledgeBase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/{document_id}/chunks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chunks of a document
         * @description The passages that questions find, in the order of the document.
         */
        get: operations["listDocumentChunks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/{document_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the original of a document
         * @description As it was uploaded, to be saved and never shown; of a document that was sent as JSON, its
         *     text. Where originals are kept in an object store, the answer is a redirect to a URL there, which
         *     is good for 60 seconds; with `redirect=false` the service passes the original on, for pages that
         *     may not fetch from there.
         */
        get: operations["getDocumentContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of a knowledge base
         * @description By prefix, with state and last use; never the secret.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The answer holds the full secret in `api_key`, this once. Store it at once, keep it
         *     out of frontends and repositories, and create one per environment or application. When the
         *     answer is lost, repeat the request with the same `Idempotency-Key`: the same key comes with a new
         *     secret, as long as it was never used.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description By prefix, with state and last use; never the secret.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description It stops at once and leaves the list; its use is then refused as `invalid_api_key`.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Fields that are left out stay as they are. The secret stays the same. A key that has a
         *     successor may only be ended earlier.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Revoke an API key
         * @description At once and for good: every request that starts after this answer is refused with
         *     `api_key_revoked`. Revoking again answers the same.
         */
        patch: operations["revokeApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description A successor with the same settings, its secret in `api_key`, this once. The old key
         *     works for the grace period, then stops as `api_key_expired`; with 0 it stops at once.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what uses an API key
         * @description What would break if it were revoked now, and whether it was still tried after it was.
         */
        get: operations["getApiKeyUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find passages
         * @description The best passages for a question, without an answer. The credential is an API key or a
         *     client token, as `Authorization: Bearer …` or as `api_key` in the body.
         */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a question
         * @description An answer from the documents, with its sources. The credential is an API key or a client
         *     token, as `Authorization: Bearer …` or as `api_key` in the body. Send `conversation_id` to continue a
         *     conversation that the same key, a predecessor or a successor began, and
         *     `stream: true` to read the answer as it is written: the events `message_start`
         *     (`conversation_id`, `message_id`), `sources` (`sources`), any number of `delta` (`text`),
         *     `related` (`related`) where the question is not answered, and `message_end` (the whole answer, as
         *     without `stream`) or `error` (a problem).
         */
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{message_id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate an answer
         * @description The last rating given counts. Only answers to the key that began their conversation, its
         *     predecessors and successors can be rated; with a client token, those of its end user.
         */
        post: operations["giveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/client-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a client token
         * @description For one end user's browser or app, which asks with it directly, without your API key: it works
         *     for minutes, and never does more than the key. Revoking the key stops its tokens at once.
         */
        post: operations["createClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try out a search
         * @description As *Find passages*, for a dashboard user and with settings of its own: nothing is kept,
         *     and nothing is counted in analytics. At most 60 questions a minute and user, answers included.
         */
        post: operations["tryQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try out a question
         * @description As *Ask a question*, for a dashboard user and with settings of its own: there is no
         *     conversation, nothing is kept, and nothing is counted in analytics. Calls of a model count towards
         *     `daily_message_limit`. At most 60 questions a minute and user, searches included.
         */
        post: operations["tryChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evaluations of a knowledge base
         * @description Without their questions.
         */
        get: operations["listEvaluations"];
        put?: never;
        /**
         * Evaluate a knowledge base
         * @description Asks questions whose answers you know, in the background: how often the right document
         *     is found, and how often the answer is right, missing or made where there is none. It uses the
         *     settings given and changes none; nothing counts in analytics. Try out settings with it before
         *     you change them. A knowledge base may have ten that are not finished.
         */
        post: operations["createEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evaluations/{evaluation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an evaluation
         * @description With each question and what became of it. Poll it until `status` is `complete` or
         *     `failed`.
         */
        get: operations["getEvaluation"];
        put?: never;
        post?: never;
        /**
         * Delete an evaluation
         * @description At once, and for good. One that is running stops.
         */
        delete: operations["deleteEvaluation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents by key
         * @description Those that the key opens. Needs a key with the scope `documents:read`.
         */
        get: operations["listIngestedDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/documents/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a document by your own id
         * @description Poll it until `status` is `ready` or `failed`. Needs a key with the scope `documents:read`.
         */
        get: operations["getIngestedDocument"];
        /**
         * Add or change a document
         * @description Answers 202 when the document is new or changed; until its new version is ready, the one
         *     before is found. Answers 200 when content and fields are the same: nothing is indexed again. Fields
         *     that are left out get their defaults. Needs a key with the scope `documents:write`.
         */
        put: operations["putIngestedDocument"];
        post?: never;
        /**
         * Delete a document by your own id
         * @description From the moment of the answer it is in no result. Needs a key with the scope
         *     `documents:write`.
         */
        delete: operations["deleteIngestedDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speak the Model Context Protocol
         * @description Streamable HTTP without sessions: `initialize`, `tools/list` and `tools/call` of the
         *     tools `search` (scope `query`) and `ask` (scope `chat`). The API key is the Bearer and names the
         *     knowledge base. A tool that the key may not use is not listed.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask as with OpenAI’s chat completions
         * @description For clients that speak OpenAI’s protocol: the base URL is `/v1`, the API key the
         *     Bearer. The last message is the question, those before it its history. Sources stand in
         *     `sources`, and as annotations of the message. Sampling parameters are used where a language
         *     model is configured. `tools`, `functions`, `n` above 1, `logprobs`, images and other parameters
         *     that are not listed here are refused by name. With a client token, so are messages of the roles
         *     `system` and `developer` and the length of answers; with a key, such messages have at most 8,000
         *     characters together, and `max_tokens` is at most what the operator allows, 4,096 by default.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the model
         * @description By both of its names: `latchkey`, and the id of the key’s knowledge base.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dify/retrieval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find passages for Dify
         * @description Dify’s external knowledge API: in Dify the endpoint is `/dify`, the API key the key, and
         *     the id of the knowledge base the knowledge id. Scores are from 0 to 1.
         */
        post: operations["retrieveForDify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the model */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/vector_stores/{kb_id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search as in a vector store of OpenAI’s
         * @description The key’s knowledge base is the vector store, and its documents are the files. `filters`
         *     are those of `/query`.
         */
        post: operations["searchVectorStore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of a knowledge base
         * @description Those of all its keys. A conversation is listed if it passes every filter given.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        /**
         * Erase the conversations of an end user
         * @description Every trace of them: what they asked, what was answered and what they thought of it.
         *     What was counted stays, and names nobody.
         */
        delete: operations["eraseConversations"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{conversation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description Its messages are a list of their own.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation
         * @description With its messages. What was counted stays.
         */
        delete: operations["deleteConversation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conversations/{conversation_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of a conversation
         * @description Oldest first, with the sources each answer had.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the figures
         * @description Totals and a series by days or hours of a time zone; or totals by key, with
         *     `group_by=api_key`. Right to within 10 seconds.
         */
        get: operations["getAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/analytics/unanswered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the questions without an answer
         * @description Those of the same meaning-bearing words are one; most asked first.
         */
        get: operations["listUnanswered"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/analytics/top-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the documents that answers rest on
         * @description Most used first, counted by days (UTC).
         */
        get: operations["listTopDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings
         * @description All of them as they hold now, set or by default.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description They hold from the next request on. Null brings back the default.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description Viewers read; members also use and change what belongs to the knowledge base; owners also
         *     change members.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member or change their role
         * @description Owners only.
         */
        put: operations["putMember"];
        post?: never;
        /**
         * Remove a member
         * @description Owners remove anybody; members of every role may remove themselves. The last owner stays.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of a knowledge base */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events are sent to its `url` as Standard Webhooks, signed with `secret`, which is in this
         *     answer alone. A body is `{"type", "timestamp", "data"}` with ids and states; fetch what else you
         *     need. Deliveries come at least once and in no certain order: recognize repeated ones by the header
         *     `webhook-id`. Answer with 2xx within ten seconds; otherwise it is tried again after 5 seconds,
         *     1 minute, 5 minutes, 30 minutes, 2 hours, 8 hours and 24 hours. After a 410, or when all of these
         *     failed, the webhook is deactivated.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Nothing more is sent to it, and its deliveries are removed.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Fields that are left out stay as they are. `state` `active` brings a deactivated webhook
         *     back: the events that occur from then on are delivered.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description The new secret is in this answer alone. For 24 hours each delivery has two signatures, by
         *     the new secret and by the one before it, so that the receiver can change over in between.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description An event `webhook.test`, tried once. Its delivery says how the receiver answered.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Those of the last 30 days, and how their last attempts ended.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same `webhook-id` and body, whether it was delivered or failed; its attempts begin
         *     anew.
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was changed in all that you own
         * @description Of every knowledge base that you own, or owned when it was deleted: its events outlive
         *     it, by a year unless the operator says otherwise.
         */
        get: operations["listOwnedAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kbs/{kb_id}/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was changed, and by whom
         * @description Changes of keys, members, documents and the knowledge base itself.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/security.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the contact for vulnerability reports
         * @description As RFC 9116 defines it; 404 where the operator has set none.
         */
        get: operations["getSecurityTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaked-api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report leaked API keys
         * @description For secret scanners and whoever finds a key: the real ones are revoked at once. Needs no
         *     credential but the keys themselves; 60 requests a minute from one address. A leaked key matches `\\brag_(live|test)_[0-9A-Za-z]{48}\\b`.
         */
        post: operations["reportLeakedApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leaked-api-keys/github": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report leaked API keys in GitHub's form
         * @description For GitHub's secret scanning partner program: the body is signed by one of the keys that GitHub
         *     publishes, named in the headers. The real keys are revoked at once; where they were found is kept in
         *     the audit event.
         */
        post: operations["reportLeakedApiKeysByGithub"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Does not check the database: restarting the process would not repair that.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Can it serve requests?
         * @description Checks the database. While commits wait for a synchronous standby, it is ready for
         *     requests that write nothing, and says so in `writes`. While threads or processes of the service
         *     stay unable to start, it is not ready, and the problem has `"workers": "failing"`.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "document.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A document can be found */
        post: operations["onDocumentReady"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "document.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A document cannot be indexed */
        post: operations["onDocumentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was created */
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.rotated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key has a successor */
        post: operations["onApiKeyRotated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was revoked */
        post: operations["onApiKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was deleted */
        post: operations["onApiKeyDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key expires in seven days, or in one */
        post: operations["onApiKeyExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.reported_as_leaked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A leaked API key was reported and revoked */
        post: operations["onApiKeyReportedAsLeaked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.used_after_revocation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A revoked or deleted API key is still used; at most once an hour and key */
        post: operations["onApiKeyUsedAfterRevocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.unanswered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A question was not answered */
        post: operations["onMessageUnanswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.rated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An answer was rated */
        post: operations["onMessageRated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test was asked for; every webhook gets it */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        HealthDto: {
            /** @example ok */
            status: string;
            /**
             * @description Only while writes are refused: commits wait for a synchronous standby of PostgreSQL. What needs no
             *     write is answered.
             * @enum {string}
             */
            writes?: "unavailable";
            /**
             * @description Of readiness: whose vectors search compares, `local:` or `endpoint:` and the name of the model;
             *     `off` while it goes by words alone.
             * @example local:multilingual-e5-small
             */
            meaning?: string;
            /**
             * @description Of readiness: how far the installation of a model is, while this process installs one.
             * @example model.onnx: 25 MB
             */
            installing?: string;
        };
        CreateKnowledgeBaseDto: {
            /**
             * @description 1 to 100 characters; white space around it is cut off.
             * @example Product handbook
             */
            name: string;
            /**
             * @description At most 1000 characters; null for none.
             * @example Everything support needs to know
             */
            description?: string | null;
        };
        KnowledgeBaseDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /**
             * Format: int64
             * @example 12
             */
            document_count: number;
            /**
             * Format: int64
             * @example 340
             */
            chunk_count: number;
            /**
             * Format: int64
             * @description The passages that its documents have, as many as `chunk_count`.
             * @example 340
             */
            passages: number;
            /**
             * Format: int64
             * @description The passages that are found by their meaning: those with a vector of the model in use. Vectors
             *     are made in the background; 0 while search goes by words alone.
             * @example 338
             */
            vectors: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /** @example Product handbook */
            name: string;
            /** @example Everything support needs to know */
            description: string | null;
            /**
             * @description The role of the calling user.
             * @example owner
             * @enum {string}
             */
            role: "member" | "owner" | "viewer";
        };
        UpdateKnowledgeBaseDto: {
            /**
             * @description 1 to 100 characters; white space around it is cut off.
             * @example Product handbook
             */
            name?: string;
            /**
             * @description At most 1000 characters; null for none.
             * @example Everything support needs to know
             */
            description?: string | null;
        };
        SuccessDto: {
            /** @example true */
            success: boolean;
        };
        MemberDto: {
            /** @enum {string} */
            role: "member" | "owner" | "viewer";
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /** @example bob */
            user_id: string;
        };
        PutMemberDto: {
            /**
             * @description Viewers read; members also change keys, documents, settings and conversations; owners also change
             *     members and delete the knowledge base.
             * @example member
             * @enum {string}
             */
            role: "member" | "owner" | "viewer";
        };
        AuditEventDto: {
            /** @example audit_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description The dashboard user's id, or `leak-report`.
             * @example alice
             */
            actor: string;
            /**
             * @example api_key.revoked
             * @enum {string}
             */
            action: "api_key.created" | "api_key.deleted" | "api_key.reissued" | "api_key.reported_as_leaked" | "api_key.revoked" | "api_key.rotated" | "api_key.updated" | "conversation.deleted" | "conversations.erased" | "document.added" | "document.deleted" | "document.reindexed" | "document.replaced" | "document.updated" | "knowledge_base.created" | "knowledge_base.deleted" | "knowledge_base.reindexed" | "knowledge_base.updated" | "member.added" | "member.removed" | "member.role_changed" | "settings.updated" | "webhook.activated" | "webhook.created" | "webhook.deactivated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.updated";
            /**
             * @description An id, or the member's user id.
             * @example key_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            target_id: string;
            /**
             * @description The X-Request-Id of the answer.
             * @example 0c8c1c9e-6b0e-4c1b-9d39-9d1a2f7c5d54
             */
            request_id: string;
            /**
             * @example {
             *       "prefix": "rag_live_8fJ2kQ9xZa"
             *     }
             */
            details: {
                [key: string]: unknown;
            };
        };
        SettingsDto: {
            /**
             * Instructions to the model
             * @description Instructions for the model, before the passages: at most 8000 characters.
             * @default null
             * @example Answer briefly and in the language of the question.
             */
            system_prompt: string | null;
            /**
             * Temperature
             * @description Of the model, 0 to 2; null leaves it to the provider.
             * @default null
             */
            temperature: number | null;
            /**
             * Model
             * @description One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
             * @default null
             */
            model: string | null;
            /**
             * Quote the documents when the model fails
             * @description Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
             *     rather than 502 or 504.
             * @default false
             */
            fallback_to_extractive: boolean;
            /**
             * Passages for an answer
             * Format: int32
             * @description Passages per question where the request names no number.
             * @default 5
             */
            top_k: number;
            /**
             * Minimum score
             * @description Passages below this score are left out; a request may name its own.
             * @default null
             */
            min_score: number | null;
            /**
             * Answer threshold
             * @description How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
             *     (every word); null for the calibrated threshold.
             * @default null
             */
            answer_threshold: number | null;
            /**
             * Fallback message
             * @description The answer where the documents have none: a text of 1 to 2000 characters, or an object of such
             *     texts by language. By default in the language of the question.
             * @default null
             * @example I do not know. Please write to support@shop.example.com.
             */
            refusal_text: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Greeting
             * @description The answer to greetings, thanks and questions about the service: a text of 1 to 2000 characters,
             *     or an object of such texts by language. By default it names what the documents are about, in the
             *     language of the message.
             * @default null
             * @example {
             *       "en": "Hello! Ask me about orders.",
             *       "de": "Hallo! Fragen Sie mich nach Bestellungen."
             *     }
             */
            greeting: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Earlier messages
             * Format: int32
             * @description How many earlier messages of a conversation the model gets.
             * @default 10
             */
            history_messages: number;
            /**
             * Words in a passage
             * Format: int32
             * @description Words per passage; documents indexed before have `needs_reindex`.
             * @default 300
             */
            chunk_size: number;
            /**
             * Overlap
             * Format: int32
             * @description Words that a passage repeats of the one before; less than half of `chunk_size`.
             * @default 30
             */
            chunk_overlap: number;
            /**
             * Requests a minute
             * Format: int32
             * @description Requests per key and minute, for keys without a limit of their own.
             * @default 6000
             */
            rate_limit_per_minute: number;
            /**
             * Requests of an end user
             * Format: int32
             * @description Requests per end user of a key and minute, for keys without a limit of their own; null for none.
             * @default null
             */
            rate_limit_per_end_user: number | null;
            /**
             * Questions a day
             * Format: int32
             * @description Chat messages per day (UTC), all keys together; null for no limit.
             * @default null
             */
            daily_message_limit: number | null;
            /**
             * Web pages that may ask with a key
             * @description Web origins whose pages may ask, at most 100; empty for none, null for any.
             * @default null
             */
            allowed_origins: string[] | null;
            /**
             * Retention in days
             * Format: int32
             * @description Conversations are erased so many days after their last message; null keeps them.
             * @default null
             */
            retention_days: number | null;
            /**
             * Maximum age of a key in days
             * Format: int32
             * @description How long API keys work at most, in days: new keys and successors get an `expires_at` accordingly.
             *     Null for no limit. Existing keys stay as they are.
             * @default null
             */
            key_max_age_days: number | null;
        };
        UpdateSettingsDto: {
            /**
             * Instructions to the model
             * @description Instructions for the model, before the passages: at most 8000 characters.
             * @example Answer briefly and in the language of the question.
             */
            system_prompt?: string | null;
            /**
             * Temperature
             * @description Of the model, 0 to 2; null leaves it to the provider.
             * @example null
             */
            temperature?: number | null;
            /**
             * Model
             * @description One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
             * @example null
             */
            model?: string | null;
            /**
             * Quote the documents when the model fails
             * @description Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
             *     rather than 502 or 504.
             * @example null
             */
            fallback_to_extractive?: boolean | null;
            /**
             * Passages for an answer
             * Format: int32
             * @description Passages per question where the request names no number.
             * @example null
             */
            top_k?: number | null;
            /**
             * Minimum score
             * @description Passages below this score are left out; a request may name its own.
             * @example null
             */
            min_score?: number | null;
            /**
             * Answer threshold
             * @description How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
             *     (every word); null for the calibrated threshold.
             * @example null
             */
            answer_threshold?: number | null;
            /**
             * Fallback message
             * @description The answer where the documents have none: a text of 1 to 2000 characters, or an object of such
             *     texts by language. By default in the language of the question.
             * @example I do not know. Please write to support@shop.example.com.
             */
            refusal_text?: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Greeting
             * @description The answer to greetings, thanks and questions about the service: a text of 1 to 2000 characters,
             *     or an object of such texts by language. By default it names what the documents are about, in the
             *     language of the message.
             * @example {
             *       "en": "Hello! Ask me about orders.",
             *       "de": "Hallo! Fragen Sie mich nach Bestellungen."
             *     }
             */
            greeting?: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Earlier messages
             * Format: int32
             * @description How many earlier messages of a conversation the model gets.
             * @example null
             */
            history_messages?: number | null;
            /**
             * Words in a passage
             * Format: int32
             * @description Words per passage; documents indexed before have `needs_reindex`.
             * @example null
             */
            chunk_size?: number | null;
            /**
             * Overlap
             * Format: int32
             * @description Words that a passage repeats of the one before; less than half of `chunk_size`.
             * @example null
             */
            chunk_overlap?: number | null;
            /**
             * Requests a minute
             * Format: int32
             * @description Requests per key and minute, for keys without a limit of their own.
             * @example null
             */
            rate_limit_per_minute?: number | null;
            /**
             * Requests of an end user
             * Format: int32
             * @description Requests per end user of a key and minute, for keys without a limit of their own; null for none.
             * @example null
             */
            rate_limit_per_end_user?: number | null;
            /**
             * Questions a day
             * Format: int32
             * @description Chat messages per day (UTC), all keys together; null for no limit.
             * @example null
             */
            daily_message_limit?: number | null;
            /**
             * Web pages that may ask with a key
             * @description Web origins whose pages may ask, at most 100; empty for none, null for any.
             * @example null
             */
            allowed_origins?: string[] | null;
            /**
             * Retention in days
             * Format: int32
             * @description Conversations are erased so many days after their last message; null keeps them.
             * @example null
             */
            retention_days?: number | null;
            /**
             * Maximum age of a key in days
             * Format: int32
             * @description How long API keys work at most, in days: new keys and successors get an `expires_at` accordingly.
             *     Null for no limit. Existing keys stay as they are.
             * @example null
             */
            key_max_age_days?: number | null;
        };
        DocumentEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            document_id: string;
            /** @example policies/returns */
            external_id: string | null;
            /** @enum {string} */
            status: "failed" | "ready";
            /**
             * @description Of a document that failed, such as `parse_failed`.
             * @example null
             */
            error_code: string | null;
        };
        ApiKeyEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            api_key_id: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
            /**
             * @description The key that it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description Its successor.
             * @example null
             */
            rotated_to: string | null;
            /** @enum {string} */
            environment: "live" | "test";
            /** @enum {string} */
            state: "active" | "deactivated" | "deleted";
        };
        ApiKeyExpiryEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            api_key_id: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
            /**
             * @description The key that it replaces.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description Its successor.
             * @example null
             */
            rotated_to: string | null;
            /**
             * Format: int32
             * @description At most so many days are left: 7 or 1.
             */
            days_before: number;
            /** @enum {string} */
            environment: "live" | "test";
            /** @enum {string} */
            state: "active" | "deactivated" | "deleted";
        };
        UnansweredEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example conv_01kafdp6ygf4rs4s2cr5cvzwkc */
            conversation_id: string;
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            message_id: string;
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            api_key_id: string;
            /** @enum {string} */
            environment: "live" | "test";
            /** @example false */
            answered: boolean;
        };
        RatingEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example conv_01kafdp6ygf4rs4s2cr5cvzwkc */
            conversation_id: string;
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            message_id: string;
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            api_key_id: string;
            /**
             * @description Null when the rating was withdrawn.
             * @example null
             * @enum {string|null}
             */
            rating: "down" | "up" | null;
        };
        TestEventDataDto: {
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /** @example wh_01kafdp6ygf4rs4s2cr5cvzwkc */
            webhook_id: string;
        };
        CreateWebhookDto: {
            /**
             * Format: uri
             * @description Where events are sent: an https URL of at most 2048 characters on a public address, without
             *     credentials. Redirects are not followed.
             * @example https://shop.example.com/hooks/latchkey
             */
            url: string;
            /**
             * @description The events that are delivered to it: at least one, each once.
             * @example [
             *       "document.failed",
             *       "api_key.used_after_revocation"
             *     ]
             */
            events: ("document.ready" | "document.failed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.deleted" | "api_key.expiring" | "api_key.reported_as_leaked" | "api_key.used_after_revocation" | "message.unanswered" | "message.rated")[];
            /**
             * @description At most 1000 characters; null for none.
             * @example Notifies the shop’s on-call channel
             */
            description?: string | null;
        };
        IssuedWebhookDto: {
            /** @example wh_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * @example [
             *       "document.failed"
             *     ]
             */
            events: ("document.ready" | "document.failed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.deleted" | "api_key.expiring" | "api_key.reported_as_leaked" | "api_key.used_after_revocation" | "message.unanswered" | "message.rated")[];
            /**
             * Format: date-time
             * @example null
             */
            deactivated_at: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs, too.
             * @example null
             */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description Verifies deliveries, as Standard Webhooks describes. Store it now: it is shown this once and cannot
             *     be shown again.
             * @example whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=
             */
            secret: string;
            /** @example https://shop.example.com/hooks/latchkey */
            url: string;
            /** @example Notifies the shop’s on-call channel */
            description: string | null;
            /**
             * @description Nothing is sent to a deactivated webhook.
             * @enum {string}
             */
            state: "active" | "deactivated";
            /**
             * @description `gone`: its receiver answered 410. `failed`: every attempt of a delivery failed.
             * @example null
             * @enum {string|null}
             */
            deactivation_reason: "failed" | "gone" | "user" | null;
            /** @example alice */
            created_by: string;
        };
        WebhookDto: {
            /** @example wh_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * @example [
             *       "document.failed"
             *     ]
             */
            events: ("document.ready" | "document.failed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.deleted" | "api_key.expiring" | "api_key.reported_as_leaked" | "api_key.used_after_revocation" | "message.unanswered" | "message.rated")[];
            /**
             * Format: date-time
             * @example null
             */
            deactivated_at: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs, too.
             * @example null
             */
            previous_secret_until: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /** @example https://shop.example.com/hooks/latchkey */
            url: string;
            /** @example Notifies the shop’s on-call channel */
            description: string | null;
            /**
             * @description Nothing is sent to a deactivated webhook.
             * @enum {string}
             */
            state: "active" | "deactivated";
            /**
             * @description `gone`: its receiver answered 410. `failed`: every attempt of a delivery failed.
             * @example null
             * @enum {string|null}
             */
            deactivation_reason: "failed" | "gone" | "user" | null;
            /** @example alice */
            created_by: string;
        };
        UpdateWebhookDto: {
            /**
             * Format: uri
             * @description Where events are sent: an https URL of at most 2048 characters on a public address, without
             *     credentials. Redirects are not followed.
             * @example https://shop.example.com/hooks/latchkey
             */
            url?: string;
            /**
             * @description The events that are delivered to it: at least one, each once.
             * @example [
             *       "document.failed",
             *       "api_key.used_after_revocation"
             *     ]
             */
            events?: ("document.ready" | "document.failed" | "api_key.created" | "api_key.rotated" | "api_key.revoked" | "api_key.deleted" | "api_key.expiring" | "api_key.reported_as_leaked" | "api_key.used_after_revocation" | "message.unanswered" | "message.rated")[];
            /**
             * @description At most 1000 characters; null for none.
             * @example Notifies the shop’s on-call channel
             */
            description?: string | null;
            /**
             * @description `active` delivers the events that occur from then on; `deactivated` delivers none.
             * @enum {string}
             */
            state?: "active" | "deactivated";
        };
        WebhookDeliveryDto: {
            /**
             * @description The `webhook-id` of every attempt, by which a receiver recognizes what it got before.
             * @example whd_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            id: string;
            /** @example wh_01kafdp6ygf4rs4s2cr5cvzwkc */
            webhook_id: string;
            /**
             * @example document.failed
             * @enum {string}
             */
            event: "api_key.created" | "api_key.deleted" | "api_key.expiring" | "api_key.reported_as_leaked" | "api_key.revoked" | "api_key.rotated" | "api_key.used_after_revocation" | "document.failed" | "document.ready" | "message.rated" | "message.unanswered" | "webhook.test";
            /**
             * Format: int32
             * @description How many attempts have ended since it was created or asked to be sent again.
             */
            attempts: number;
            /**
             * Format: date-time
             * @description Null when none is planned, or while it waits for earlier deliveries of the webhook.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            last_attempt_at: string | null;
            /**
             * Format: int32
             * @description The HTTP status of the last attempt; null without an answer.
             * @example 200
             */
            response_status: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description `delivered`: the receiver answered with a status of 2xx within ten seconds.
             * @enum {string}
             */
            state: "delivered" | "failed" | "pending";
            /**
             * @description Why the last attempt failed.
             * @example null
             * @enum {string|null}
             */
            error: "address_not_allowed" | "connection_failed" | "secret_unreadable" | "timeout" | "unexpected_status" | "webhook_deactivated" | null;
        };
        EqualityFilterDto: {
            /**
             * @description Of the document’s metadata, as it is: dots in it mean nothing.
             * @example department
             */
            key: string;
            /** @example support */
            value: string | number | boolean;
            /** @enum {string} */
            type: "eq" | "ne";
        };
        OrderFilterDto: {
            /** @example year */
            key: string;
            /** @example 2026 */
            value: string | number;
            /** @enum {string} */
            type: "gt" | "gte" | "lt" | "lte";
        };
        MembershipFilterDto: {
            /** @example language */
            key: string;
            /**
             * @example [
             *       "de",
             *       "fr"
             *     ]
             */
            value: (string | number | boolean)[];
            /** @enum {string} */
            type: "in" | "nin";
        };
        CompoundFilterDto: {
            /**
             * @example [
             *       {
             *         "type": "gte",
             *         "key": "year",
             *         "value": 2026
             *       }
             *     ]
             */
            filters: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"])[];
            /** @enum {string} */
            type: "and" | "or";
        };
        CreateApiKeyDto: {
            /**
             * @description Where the key is used: 1 to 100 characters; white space around it is cut off.
             * @example Shop backend
             */
            name: string;
            /**
             * @description It is part of the secret, so that a live key cannot be mistaken for a test key.
             * @enum {string}
             */
            environment: "live" | "test";
            /**
             * @description At most 1000 characters; null for none.
             * @example Answers questions in the order form
             */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the key stops by itself: in the future, with a time zone; null for never.
             * @example 2099-12-31T23:59:59.000Z
             */
            expires_at?: string | null;
            /**
             * Format: int32
             * @description Requests per minute, 1 to 1,000,000; null takes the knowledge base's limit.
             * @example 600
             */
            rate_limit_per_minute?: number | null;
            /**
             * Format: int32
             * @description Requests per minute in the name of one end user (`end_user_id`, of the request or the client token),
             *     1 to 1,000,000; null takes the knowledge base's limit, if it has one.
             * @example 60
             */
            rate_limit_per_end_user?: number | null;
            /**
             * @description Up to 100 IPv4 or IPv6 addresses and CIDR ranges the key may be used from; null for any.
             * @example null
             */
            allowed_ips?: string[] | null;
            /**
             * @description What the key may be used for: asking (`query`, `chat`), rating answers (`feedback`), reading and
             *     changing documents by your own ids (`documents:read`, `documents:write`).
             * @default [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             * @example [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             */
            scopes?: ("query" | "chat" | "feedback" | "documents:read" | "documents:write")[];
            /**
             * @description The documents that the key opens, by their metadata, whatever a request asks for; null for all. Not
             *     together with `documents:write`.
             */
            filter?: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
        };
        IssuedApiKeyDto: {
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * @description Identifies the key in lists; the rest of the secret is shown nowhere.
             * @example rag_live_8fJ2kQ9xZa
             */
            prefix: string;
            /**
             * Format: date-time
             * @description Accurate to 5 seconds.
             * @example 2026-11-20T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: int32
             * @description Null takes the knowledge base's limit.
             * @example null
             */
            rate_limit_per_minute: number | null;
            /**
             * Format: int32
             * @description Of one end user; null takes the knowledge base's limit, if it has one.
             * @example null
             */
            rate_limit_per_end_user: number | null;
            /**
             * @description What it may be used for.
             * @example [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             */
            scopes: ("query" | "chat" | "feedback" | "documents:read" | "documents:write")[];
            /** @description The documents that it opens; null for all of the knowledge base. */
            filter: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
            /**
             * @description The key that this one succeeds.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description The key that succeeds this one.
             * @example null
             */
            rotated_to: string | null;
            /**
             * @description The full secret. Store it now: it is shown this once and cannot be shown again.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            api_key: string;
            /** @example Shop backend */
            name: string;
            /** @example Answers questions in the order form */
            description: string | null;
            /** @enum {string} */
            environment: "live" | "test";
            /** @description Whether it can be used now: neither deactivated nor expired. */
            active: boolean;
            /**
             * @description Deactivated keys never come back.
             * @enum {string}
             */
            state: "active" | "deactivated";
            /** @example alice */
            created_by: string;
            /** @example null */
            revoked_by: string | null;
            /**
             * @description Null for any.
             * @example null
             */
            allowed_ips: string[] | null;
        };
        ApiKeyDto: {
            /** @example key_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * @description Identifies the key in lists; the rest of the secret is shown nowhere.
             * @example rag_live_8fJ2kQ9xZa
             */
            prefix: string;
            /**
             * Format: date-time
             * @description Accurate to 5 seconds.
             * @example 2026-11-20T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: int32
             * @description Null takes the knowledge base's limit.
             * @example null
             */
            rate_limit_per_minute: number | null;
            /**
             * Format: int32
             * @description Of one end user; null takes the knowledge base's limit, if it has one.
             * @example null
             */
            rate_limit_per_end_user: number | null;
            /**
             * @description What it may be used for.
             * @example [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             */
            scopes: ("query" | "chat" | "feedback" | "documents:read" | "documents:write")[];
            /** @description The documents that it opens; null for all of the knowledge base. */
            filter: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
            /**
             * @description The key that this one succeeds.
             * @example null
             */
            rotated_from: string | null;
            /**
             * @description The key that succeeds this one.
             * @example null
             */
            rotated_to: string | null;
            /** @example Shop backend */
            name: string;
            /** @example Answers questions in the order form */
            description: string | null;
            /** @enum {string} */
            environment: "live" | "test";
            /** @description Whether it can be used now: neither deactivated nor expired. */
            active: boolean;
            /**
             * @description Deactivated keys never come back.
             * @enum {string}
             */
            state: "active" | "deactivated";
            /** @example alice */
            created_by: string;
            /** @example null */
            revoked_by: string | null;
            /**
             * @description Null for any.
             * @example null
             */
            allowed_ips: string[] | null;
        };
        UpdateApiKeyDto: {
            /**
             * @description Where the key is used: 1 to 100 characters; white space around it is cut off.
             * @example Shop backend
             */
            name?: string;
            /**
             * @description At most 1000 characters; null for none.
             * @example Answers questions in the order form
             */
            description?: string | null;
            /**
             * Format: date-time
             * @description When the key stops by itself: in the future, with a time zone; null for never.
             * @example 2099-12-31T23:59:59.000Z
             */
            expires_at?: string | null;
            /**
             * Format: int32
             * @description Requests per minute, 1 to 1,000,000; null takes the knowledge base's limit.
             * @example 600
             */
            rate_limit_per_minute?: number | null;
            /**
             * Format: int32
             * @description Requests per minute in the name of one end user (`end_user_id`, of the request or the client token),
             *     1 to 1,000,000; null takes the knowledge base's limit, if it has one.
             * @example 60
             */
            rate_limit_per_end_user?: number | null;
            /**
             * @description Up to 100 IPv4 or IPv6 addresses and CIDR ranges the key may be used from; null for any.
             * @example null
             */
            allowed_ips?: string[] | null;
            /**
             * @description What the key may be used for: asking (`query`, `chat`), rating answers (`feedback`), reading and
             *     changing documents by your own ids (`documents:read`, `documents:write`).
             * @default [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             * @example [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             */
            scopes?: ("query" | "chat" | "feedback" | "documents:read" | "documents:write")[];
            /**
             * @description The documents that the key opens, by their metadata, whatever a request asks for; null for all. Not
             *     together with `documents:write`.
             */
            filter?: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
        };
        RotateApiKeyDto: {
            /**
             * Format: int32
             * @description How long the old key still works, in seconds: 0 stops it at once, at most 30 days.
             * @default 86400
             * @example 86400
             */
            grace_period_seconds?: number;
        };
        ApiKeyUsageDto: {
            /**
             * Format: int64
             * @example 1250
             */
            requests_24h: number;
            /**
             * Format: int64
             * @example 31000
             */
            requests_30d: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            last_used_at: string | null;
            /**
             * Format: int64
             * @example 2
             */
            distinct_ips_24h: number;
            /**
             * Format: int64
             * @description How often the key was still tried after it was revoked.
             */
            refused_uses_since_revoked: number;
            /**
             * Format: date-time
             * @example null
             */
            last_refused_at: string | null;
            /**
             * @description The key that succeeds this one.
             * @example null
             */
            successor_id: string | null;
            /** @example 192.0.2.10 */
            last_ip: string | null;
            /** @example null */
            last_refused_ip: string | null;
            /** @description Whether nobody has used the key in the last 24 hours. */
            safe_to_revoke: boolean;
        };
        CreateClientTokenDto: {
            /**
             * @description Your own id of the person who asks: 1 to 255 characters. The token opens no one else's conversations.
             * @example customer-4711
             */
            end_user_id: string;
            /**
             * @description The secret of an API key, or a client token, unless the header `Authorization` has it.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            api_key?: string;
            /**
             * Format: int32
             * @description How long the token works, in seconds: a minute to an hour.
             * @default 900
             * @example 900
             */
            expires_in_seconds?: number;
            /** @description Of the key's `query`, `chat` and `feedback`; all of these by default. */
            scopes?: ("query" | "chat" | "feedback" | "documents:read" | "documents:write")[];
            /** @description The documents that the token opens, of those that the key opens; null for no further filter. */
            filter?: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
            /**
             * @description Web origins whose pages may use the token, of those that the knowledge base allows; empty for none,
             *     null for no further restriction.
             * @example null
             */
            allowed_origins?: string[] | null;
        };
        ClientTokenDto: {
            /**
             * @description Stands wherever an API key may stand. For one person's browser or app; it needs no storing.
             * @example rag_client_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjdXN0b21lci00NzExIn0.signature
             */
            client_token: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            expires_at: string;
            /**
             * @example [
             *       "query",
             *       "chat",
             *       "feedback"
             *     ]
             */
            scopes: ("query" | "chat" | "feedback")[];
            /** @example customer-4711 */
            end_user_id: string;
        };
        LeakReportDto: {
            /**
             * @description 1 to 100 secrets as they were found.
             * @example [
             *       "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             *     ]
             */
            api_keys: string[];
        };
        LeakVerdictDto: {
            /**
             * Format: int64
             * @description Which of the reported secrets, from 0.
             */
            index: number;
            /**
             * @description `revoked` by this report; `already_revoked` before; `unknown` is no key of ours.
             * @example revoked
             * @enum {string}
             */
            status: "already_revoked" | "revoked" | "unknown";
        };
        LeakReportAnswerDto: {
            /** @description In the order of the report. */
            results: components["schemas"]["LeakVerdictDto"][];
        };
        GithubLeakDto: {
            /**
             * @description The secret as it was found.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            token: string;
            /**
             * @description What GitHub calls this kind of secret.
             * @example latchkey_api_key
             */
            type: string;
            /**
             * @description Where it was found.
             * @example https://github.com/octocat/Hello-World/blob/master/config.env
             */
            url?: string | null;
            /**
             * @description In what it was found.
             * @example content
             */
            source?: string | null;
        };
        GithubLeakVerdictDto: {
            /**
             * @description The secret as it was reported.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            token_raw: string;
            /** @example latchkey_api_key */
            token_type: string;
            /**
             * @description `true_positive` for a key of ours, revoked by this report or before.
             * @example true_positive
             * @enum {string}
             */
            label: "false_positive" | "true_positive";
        };
        CreateDocumentDto: {
            /**
             * @description 1 to 500 characters; white space around it is cut off. Questions search it too.
             * @example Returns policy
             */
            title: string;
            /**
             * @description The whole document, of the type `mime_type`.
             * @example # Returns
             *
             *     Customers may return any order within 30 days of delivery. Refunds are paid within five working days.
             */
            text: string;
            /**
             * @description Your own id of the document, unique in the knowledge base.
             * @example null
             */
            external_id?: string | null;
            /**
             * Format: bcp-47
             * @description In which language it is, as BCP 47; detected unless given.
             * @example en
             */
            language?: string | null;
            /**
             * Format: uri
             * @description Where people can read it: an http or https address.
             * @example null
             */
            source_url?: string | null;
            /**
             * @description The type of the text: by default `text/plain`, or for a file the one that is detected.
             * @enum {string}
             */
            mime_type?: "text/html" | "text/markdown" | "text/plain";
            /**
             * @description Your own facts about the document, given back with every result; a change replaces all of them.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description What to do when the knowledge base has a document with this `external_id` or this content:
             *     refuse, answer with that one, or replace it under its id.
             * @default reject
             * @example replace
             * @enum {string}
             */
            on_duplicate?: "reject" | "replace" | "skip";
        };
        UploadDocumentDto: {
            /**
             * Format: binary
             * @description PDF, DOCX, PPTX, XLSX, ODT, EPUB, EML, HTML, Markdown, CSV or text, detected by its content; by
             *     default at most 20 MiB.
             */
            file: string;
            /** @description Your own id of the document, unique in the knowledge base. */
            external_id?: string | null;
            /**
             * Format: bcp-47
             * @description In which language it is, as BCP 47; detected unless given.
             * @example en
             */
            language?: string | null;
            /**
             * Format: uri
             * @description Where people can read it: an http or https address.
             */
            source_url?: string | null;
            /** @description The file’s name unless given. */
            title?: string;
            /**
             * @description The type of the text: by default `text/plain`, or for a file the one that is detected.
             * @enum {string}
             */
            mime_type?: "text/html" | "text/markdown" | "text/plain";
            /**
             * @description Your own facts about the document, given back with every result; a change replaces all of them.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description What to do when the knowledge base has a document with this `external_id` or this content:
             *     refuse, answer with that one, or replace it under its id.
             * @default reject
             * @example replace
             * @enum {string}
             */
            on_duplicate?: "reject" | "replace" | "skip";
        };
        DocumentErrorDto: {
            /** @enum {string} */
            code: "encrypted" | "no_text_extracted" | "parse_failed" | "parse_timeout" | "too_large" | "too_many_chunks" | "unsupported_type";
            /** @example The document has no text. */
            message: string;
        };
        DocumentWarningDto: {
            /** @example page_unreadable */
            code: string;
            /** @example Page 12 could not be read. */
            message: string;
        };
        DocumentDto: {
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * Format: int64
             * @example 2048
             */
            size_bytes: number;
            /** @description Of the content, lower-case hexadecimal. */
            sha256: string;
            /**
             * Format: int64
             * @example 1
             */
            attempts: number;
            /**
             * Format: int64
             * @example 7
             */
            chunk_count: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:01.000Z
             */
            indexed_at: string | null;
            /** @example Returns policy */
            title: string;
            /** @example https://shop.example.com/returns */
            source_url: string | null;
            /** @example policies/returns */
            external_id: string | null;
            /** @example text/markdown */
            mime_type: string;
            /**
             * @example {
             *       "department": "support"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description BCP 47: as given at upload, else as detected; null while unknown.
             * @example en
             */
            language: string | null;
            /**
             * @description `ready` documents are findable.
             * @example ready
             * @enum {string}
             */
            status: "failed" | "pending" | "processing" | "ready";
            error: components["schemas"]["DocumentErrorDto"] | null;
            /** @description What was left out, such as pages that cannot be read; the rest is findable. */
            warnings: components["schemas"]["DocumentWarningDto"][];
            /** @description Its chunks were cut with another `chunk_size` or `chunk_overlap` than the settings have. */
            needs_reindex: boolean;
        };
        UpdateDocumentDto: {
            /**
             * @description Your own id of the document, unique in the knowledge base.
             * @example null
             */
            external_id?: string | null;
            /**
             * Format: uri
             * @description Where people can read it: an http or https address.
             * @example null
             */
            source_url?: string | null;
            /**
             * @description 1 to 500 characters; white space around it is cut off. Questions search it too.
             * @example Returns policy
             */
            title?: string;
            /**
             * @description Your own facts about the document, given back with every result; a change replaces all of them.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        ReindexDto: {
            /**
             * Format: int64
             * @example 12
             */
            documents: number;
        };
        LocatorDto: {
            /**
             * Format: int32
             * @description From 1.
             */
            page?: number;
            /**
             * Format: int32
             * @description From 1.
             */
            slide?: number;
            /**
             * Format: int32
             * @description From 1, as the program of the sheet counts them.
             */
            row?: number;
            /** @description The name of a sheet, with `row`. */
            sheet?: string;
            /** @description The title of a chapter. */
            chapter?: string;
        };
        ChunkDto: {
            /**
             * Format: int32
             * @description From 1 for paged formats, else null.
             * @example null
             */
            page: number | null;
            /** @example chunk_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            document_id: string;
            /**
             * Format: int64
             * @description From 0, in the order of the document.
             */
            index: number;
            /** @example Customers may return any order within 30 days of delivery. */
            text: string;
            /**
             * @description The path of headings above the passage, or null.
             * @example Returns › Refunds
             */
            heading: string | null;
            /** @description Where the passage begins, in formats with pages or parts. */
            locator: components["schemas"]["LocatorDto"] | null;
        };
        PutDocumentDto: {
            /**
             * @description 1 to 500 characters; white space around it is cut off. Questions search it too.
             * @example Returns policy
             */
            title: string;
            /**
             * @description The whole document, of the type `mime_type`.
             * @example # Returns
             *
             *     Customers may return any order within 30 days of delivery. Refunds are paid within five working days.
             */
            text: string;
            /**
             * Format: bcp-47
             * @description In which language it is, as BCP 47; detected unless given.
             * @example en
             */
            language?: string | null;
            /**
             * Format: uri
             * @description Where people can read it: an http or https address.
             * @example null
             */
            source_url?: string | null;
            /**
             * @description The type of the text: by default `text/plain`, or for a file the one that is detected.
             * @enum {string}
             */
            mime_type?: "text/html" | "text/markdown" | "text/plain";
            /**
             * @description Your own facts about the document, given back with every result; a change replaces all of them.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        PutUploadDto: {
            /**
             * Format: binary
             * @description PDF, DOCX, PPTX, XLSX, ODT, EPUB, EML, HTML, Markdown, CSV or text, detected by its content; by
             *     default at most 20 MiB.
             */
            file: string;
            /**
             * Format: bcp-47
             * @description In which language it is, as BCP 47; detected unless given.
             * @example en
             */
            language?: string | null;
            /**
             * Format: uri
             * @description Where people can read it: an http or https address.
             */
            source_url?: string | null;
            /** @description The file’s name unless given. */
            title?: string;
            /**
             * @description The type of the text: by default `text/plain`, or for a file the one that is detected.
             * @enum {string}
             */
            mime_type?: "text/html" | "text/markdown" | "text/plain";
            /**
             * @description Your own facts about the document, given back with every result; a change replaces all of them.
             * @example {
             *       "department": "support",
             *       "year": 2026
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        ConversationDto: {
            /** @example conv_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /** @enum {string} */
            environment: "live" | "test";
            /** @example customer-4711 */
            end_user_id: string | null;
        };
        QuoteDto: {
            /**
             * Format: int32
             * @description Where it begins in the passage’s text, in UTF-16 units.
             */
            start: number;
            /**
             * Format: int32
             * @description Where it ends.
             */
            end: number;
            /** @example Customers may return any order within 30 days of delivery. */
            text: string;
        };
        SourceDto: {
            /**
             * Format: int32
             * @description From 1 for paged formats, else null.
             * @example null
             */
            page: number | null;
            /** @example chunk_01kafdp6ygf4rs4s2cr5cvzwkc */
            chunk_id: string;
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            document_id: string;
            /**
             * Format: int32
             * @description From 1.
             */
            index: number;
            /**
             * @description A part of the passage’s text: around what is quoted, else its beginning.
             * @example Customers may return any order within 30 days of delivery.
             */
            snippet: string;
            /** @example Returns policy */
            document_title: string;
            /** @example policies/returns */
            external_id: string | null;
            /** @example https://shop.example.com/returns */
            source_url: string | null;
            /**
             * @description From 0 to 1, higher is better; comparable within one question only.
             * @example 0.82
             */
            score: number;
            /**
             * @description The path of headings above the passage, or null.
             * @example Returns › Refunds
             */
            heading: string | null;
            /** @description Where the passage begins, in formats with pages or parts. */
            locator: components["schemas"]["LocatorDto"] | null;
            /** @description Left out where nothing is quoted. */
            quote?: components["schemas"]["QuoteDto"];
            /** @description Whether the answer cites it. Left out while the answer is being written, and in `related`. */
            cited?: boolean;
        };
        TokenUsageDto: {
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
        };
        GivenFeedbackDto: {
            /**
             * @example up
             * @enum {string}
             */
            rating: "down" | "up";
            /** @example Just what I needed. */
            comment: string | null;
        };
        MessageDto: {
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /** @enum {string} */
            role: "assistant" | "user";
            /** @example How long may I return an order? */
            content: string;
            /**
             * @example complete
             * @enum {string}
             */
            status: "aborted" | "complete" | "failed";
            /**
             * @description Null for questions.
             * @example null
             */
            answered: boolean | null;
            sources: components["schemas"]["SourceDto"][];
            /** @description Of answers by a language model that reports it. */
            usage: components["schemas"]["TokenUsageDto"] | null;
            /** @description Null for questions, and for answers that nobody rated. */
            feedback: components["schemas"]["GivenFeedbackDto"] | null;
            /**
             * @description Of an answer to a greeting or thanks; else left out.
             * @enum {string}
             */
            kind?: "smalltalk";
            /** @description As the answer had it; left out for questions and without a language model. */
            grounded?: boolean;
            /** @description Of a question that was not answered: passages that may help. Else left out. */
            related?: components["schemas"]["SourceDto"][];
        };
        FeedbackDto: {
            /**
             * @description Null takes the feedback back.
             * @example up
             * @enum {string|null}
             */
            rating: "down" | "up" | null;
            /**
             * @description The secret of an API key, or a client token, unless the header `Authorization` has it.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            api_key?: string;
            /**
             * @description In the end user’s words: at most 2000 characters.
             * @example Just what I needed.
             */
            comment?: string | null;
        };
        MessageFeedbackDto: {
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            message_id: string;
            /**
             * @example null
             * @enum {string|null}
             */
            rating: "down" | "up" | null;
            /** @example Just what I needed. */
            comment: string | null;
        };
        QueryDto: {
            /**
             * @description The question: 1 to 8000 characters of any text at all.
             * @example How long may customers return an order?
             */
            message: string;
            /**
             * @description The secret of an API key, or a client token, unless the header `Authorization` has it.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            api_key?: string;
            /**
             * Format: int32
             * @description How many passages at most; the knowledge base’s setting where it is left out, 5 by default.
             * @example 5
             */
            top_k?: number;
            /**
             * @description Only passages of documents whose metadata meets it: at most 20 conditions, 3 deep. A key that
             *     is missing meets `ne` and `nin` and nothing else; a list meets what one of its entries meets;
             *     values of different types are neither equal nor greater nor less.
             */
            filter?: components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"];
            /** @description Only passages with at least this score, 0 to 1; the knowledge base’s setting where it is left out. */
            min_score?: number;
        };
        QueryResultDto: {
            /**
             * Format: int32
             * @description From 1 for paged formats, else null.
             * @example null
             */
            page: number | null;
            /** @example chunk_01kafdp6ygf4rs4s2cr5cvzwkc */
            chunk_id: string;
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            document_id: string;
            /** @example Customers may return any order within 30 days of delivery. */
            text: string;
            /**
             * @example {
             *       "department": "support"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /** @example Returns policy */
            document_title: string;
            /** @example policies/returns */
            external_id: string | null;
            /** @example https://shop.example.com/returns */
            source_url: string | null;
            /**
             * @description From 0 to 1, higher is better; comparable within one question only.
             * @example 0.82
             */
            score: number;
            /**
             * @description The path of headings above the passage, or null.
             * @example Returns › Refunds
             */
            heading: string | null;
            /** @description Where the passage begins, in formats with pages or parts. */
            locator: components["schemas"]["LocatorDto"] | null;
        };
        QueryAnswerDto: {
            /** @example query_01kafdp6ygf4rs4s2cr5cvzwkc */
            query_id: string;
            /**
             * Format: int64
             * @example 4
             */
            latency_ms: number;
            /** @description Best first. */
            results: components["schemas"]["QueryResultDto"][];
            /**
             * @description True when the search reached its time limit: there may be better passages. Else left out.
             * @example false
             */
            partial?: boolean;
        };
        ChatAnswerDto: {
            /**
             * Format: int64
             * @example 5
             */
            latency_ms: number;
            /**
             * @description Send it with the next message to go on.
             * @example conv_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            conversation_id: string;
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            message_id: string;
            /**
             * @description `[n]` refers to the source with that index.
             * @example Customers may return any order within 30 days of delivery. [1]
             */
            answer: string;
            /** @description False when the documents do not answer the question. */
            answered: boolean;
            /**
             * @description Why the answer ends: `stop` where it was finished, `length` where the model’s limit cut it.
             * @example stop
             * @enum {string}
             */
            finish_reason: "content_filter" | "length" | "other" | "stop";
            sources: components["schemas"]["SourceDto"][];
            /**
             * @description `extractive` quotes the documents without a language model.
             * @example extractive
             */
            model: string;
            /** @description Null without a language model, or where it tells none. */
            usage: components["schemas"]["TokenUsageDto"] | null;
            /**
             * @description The message asks nothing: it is a greeting, thanks or the like. Else left out.
             * @enum {string}
             */
            kind?: "smalltalk";
            /**
             * @description Of an answer by a language model: false when one of its numbers, names or quotations is in none
             *     of the passages that it cites. Left out without a model.
             */
            grounded?: boolean;
            /** @description Where `answered` is false: up to three passages that may help. Else left out. */
            related?: components["schemas"]["SourceDto"][];
            /**
             * @description True when the search reached its time limit: there may be better passages. Else left out.
             * @example false
             */
            partial?: boolean;
        };
        ChatDto: {
            /**
             * @description The question: 1 to 8000 characters of any text at all.
             * @example How long may customers return an order?
             */
            message: string;
            /**
             * @description The secret of an API key, or a client token, unless the header `Authorization` has it.
             * @example rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
             */
            api_key?: string;
            /**
             * Format: int32
             * @description How many passages at most; the knowledge base’s setting where it is left out, 5 by default.
             * @example 5
             */
            top_k?: number;
            /**
             * @description Only passages of documents whose metadata meets it: at most 20 conditions, 3 deep. A key that
             *     is missing meets `ne` and `nin` and nothing else; a list meets what one of its entries meets;
             *     values of different types are neither equal nor greater nor less.
             */
            filter?: components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"];
            /**
             * @description Goes on with a conversation; leave it out to begin one.
             * @example null
             */
            conversation_id?: string | null;
            /**
             * @description Whom you ask for: groups conversations, grants nothing. A conversation stays that of the one
             *     who was named first, and is not continued in another one's name. A client token has it already.
             * @example customer-4711
             */
            end_user_id?: string | null;
            /**
             * @description Answers as it is written, by server-sent events.
             * @default false
             */
            stream?: boolean;
        };
        AnswerSettingsDto: {
            /**
             * Instructions to the model
             * @description Instructions for the model, before the passages: at most 8000 characters.
             * @example Answer briefly and in the language of the question.
             */
            system_prompt?: string | null;
            /**
             * Temperature
             * @description Of the model, 0 to 2; null leaves it to the provider.
             * @example null
             */
            temperature?: number | null;
            /**
             * Model
             * @description One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
             * @example null
             */
            model?: string | null;
            /**
             * Quote the documents when the model fails
             * @description Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
             *     rather than 502 or 504.
             * @example null
             */
            fallback_to_extractive?: boolean | null;
            /**
             * Passages for an answer
             * Format: int32
             * @description Passages per question where the request names no number.
             * @example null
             */
            top_k?: number | null;
            /**
             * Minimum score
             * @description Passages below this score are left out; a request may name its own.
             * @example null
             */
            min_score?: number | null;
            /**
             * Answer threshold
             * @description How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
             *     (every word); null for the calibrated threshold.
             * @example null
             */
            answer_threshold?: number | null;
            /**
             * Fallback message
             * @description The answer where the documents have none: a text of 1 to 2000 characters, or an object of such
             *     texts by language. By default in the language of the question.
             * @example I do not know. Please write to support@shop.example.com.
             */
            refusal_text?: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Greeting
             * @description The answer to greetings, thanks and questions about the service: a text of 1 to 2000 characters,
             *     or an object of such texts by language. By default it names what the documents are about, in the
             *     language of the message.
             * @example {
             *       "en": "Hello! Ask me about orders.",
             *       "de": "Hallo! Fragen Sie mich nach Bestellungen."
             *     }
             */
            greeting?: (string | {
                [key: string]: string;
            }) | null;
        };
        DashboardQueryDto: {
            /**
             * @description The question: 1 to 8000 characters of any text at all.
             * @example How long may customers return an order?
             */
            message: string;
            /**
             * Format: int32
             * @description How many passages at most; the knowledge base’s setting where it is left out, 5 by default.
             * @example 5
             */
            top_k?: number;
            /**
             * @description Only passages of documents whose metadata meets it: at most 20 conditions, 3 deep. A key that
             *     is missing meets `ne` and `nin` and nothing else; a list meets what one of its entries meets;
             *     values of different types are neither equal nor greater nor less.
             */
            filter?: components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"];
            /** @description Only passages with at least this score, 0 to 1; the knowledge base’s setting where it is left out. */
            min_score?: number;
            /** @description Settings to try out with this question; the knowledge base’s own stay as they are. */
            settings?: components["schemas"]["AnswerSettingsDto"];
        };
        DashboardAnswerDto: {
            /**
             * Format: int64
             * @example 5
             */
            latency_ms: number;
            /**
             * @description Null: nothing is kept.
             * @example null
             */
            conversation_id: string | null;
            /**
             * @description Null: nothing is kept.
             * @example null
             */
            message_id: string | null;
            /**
             * @description `[n]` refers to the source with that index.
             * @example Customers may return any order within 30 days of delivery. [1]
             */
            answer: string;
            /** @description False when the documents do not answer the question. */
            answered: boolean;
            /**
             * @description Why the answer ends: `stop` where it was finished, `length` where the model’s limit cut it.
             * @example stop
             * @enum {string}
             */
            finish_reason: "content_filter" | "length" | "other" | "stop";
            sources: components["schemas"]["SourceDto"][];
            /**
             * @description `extractive` quotes the documents without a language model.
             * @example extractive
             */
            model: string;
            /** @description Null without a language model, or where it tells none. */
            usage: components["schemas"]["TokenUsageDto"] | null;
            /**
             * @description The message asks nothing: it is a greeting, thanks or the like. Else left out.
             * @enum {string}
             */
            kind?: "smalltalk";
            /**
             * @description Of an answer by a language model: false when one of its numbers, names or quotations is in none
             *     of the passages that it cites. Left out without a model.
             */
            grounded?: boolean;
            /** @description Where `answered` is false: up to three passages that may help. Else left out. */
            related?: components["schemas"]["SourceDto"][];
            /**
             * @description True when the search reached its time limit: there may be better passages. Else left out.
             * @example false
             */
            partial?: boolean;
        };
        DashboardChatDto: {
            /**
             * @description The question: 1 to 8000 characters of any text at all.
             * @example How long may customers return an order?
             */
            message: string;
            /**
             * Format: int32
             * @description How many passages at most; the knowledge base’s setting where it is left out, 5 by default.
             * @example 5
             */
            top_k?: number;
            /**
             * @description Only passages of documents whose metadata meets it: at most 20 conditions, 3 deep. A key that
             *     is missing meets `ne` and `nin` and nothing else; a list meets what one of its entries meets;
             *     values of different types are neither equal nor greater nor less.
             */
            filter?: components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"];
            /**
             * @description Answers as it is written, by server-sent events.
             * @default false
             */
            stream?: boolean;
            /** @description Settings to try out with this question; the knowledge base’s own stay as they are. */
            settings?: components["schemas"]["AnswerSettingsDto"];
        };
        EvaluationQuestionDto: {
            /**
             * @description 1 to 8000 characters.
             * @example How long may customers return an order?
             */
            question: string;
            /**
             * @description The questions that are asked before it in the same conversation, oldest first.
             * @example [
             *       "May customers return an order?"
             *     ]
             */
            history?: string[] | null;
            /**
             * @description Of the documents that answer it: one of them should be found.
             * @example null
             */
            external_ids?: string[] | null;
            /**
             * @description A text, or several, of which a right answer contains one; case, accents and punctuation do not
             *     matter. Without it, a right answer cites one of the documents in `external_ids`.
             * @example 30 days
             */
            answer_contains?: string | string[];
            /**
             * @description Lists of texts, for a question that asks several things: a right answer contains one of each list.
             * @example [
             *       [
             *         "30 days"
             *       ],
             *       [
             *         "free of charge",
             *         "at no cost"
             *       ]
             *     ]
             */
            answer_contains_all?: string[][] | null;
            /**
             * @description False for a question that the documents do not answer: it should be refused.
             * @default true
             */
            answerable?: boolean;
        };
        CreateEvaluationDto: {
            /**
             * @description 1 to 2,000 questions.
             * @example [
             *       {
             *         "question": "How long may customers return an order?"
             *       }
             *     ]
             */
            questions: components["schemas"]["EvaluationQuestionDto"][];
            /** @example Shop questions, November */
            name?: string | null;
            /** @description Settings to evaluate; the knowledge base’s own stay as they are. */
            settings?: components["schemas"]["AnswerSettingsDto"];
        };
        EvaluatedQuestionDto: {
            /**
             * @example [
             *       [
             *         "30 days"
             *       ],
             *       [
             *         "free of charge",
             *         "at no cost"
             *       ]
             *     ]
             */
            answer_contains_all: string[][];
            /**
             * Format: int32
             * @description Of the first passage of a named document, from 1; null if none is among the first ten.
             * @example null
             */
            rank: number | null;
            /**
             * Format: int64
             * @description Null until it was asked.
             * @example null
             */
            latency_ms: number | null;
            /** @example How long may customers return an order? */
            question: string;
            /**
             * @example [
             *       "May customers return an order?"
             *     ]
             */
            history: string[];
            /**
             * @example [
             *       "policies/returns"
             *     ]
             */
            external_ids: string[];
            /**
             * @example [
             *       "30 days"
             *     ]
             */
            answer_contains: string[];
            /** @example true */
            answerable: boolean;
            /**
             * @description Null until it was asked.
             * @example null
             */
            answered: boolean | null;
            /**
             * @description Null until it was asked, and where the request does not say what is right.
             * @example null
             */
            right: boolean | null;
        };
        EvaluatedSettingsDto: {
            /**
             * Instructions to the model
             * @description Instructions for the model, before the passages: at most 8000 characters.
             * @default null
             * @example Answer briefly and in the language of the question.
             */
            system_prompt: string | null;
            /**
             * Temperature
             * @description Of the model, 0 to 2; null leaves it to the provider.
             * @default null
             */
            temperature: number | null;
            /**
             * Model
             * @description One that the operator lists; `extractive` answers without one; null takes the operator’s choice.
             * @default null
             */
            model: string | null;
            /**
             * Quote the documents when the model fails
             * @description Where the model fails, whether the answer is quoted from the documents (`model: "extractive"`)
             *     rather than 502 or 504.
             * @default false
             */
            fallback_to_extractive: boolean;
            /**
             * Passages for an answer
             * Format: int32
             * @description Passages per question where the request names no number.
             * @default 5
             */
            top_k: number;
            /**
             * Minimum score
             * @description Passages below this score are left out; a request may name its own.
             * @default null
             */
            min_score: number | null;
            /**
             * Answer threshold
             * @description How much of a question the documents must speak of for an answer, from 0 (always answer) to 1
             *     (every word); null for the calibrated threshold.
             * @default null
             */
            answer_threshold: number | null;
            /**
             * Fallback message
             * @description The answer where the documents have none: a text of 1 to 2000 characters, or an object of such
             *     texts by language. By default in the language of the question.
             * @default null
             * @example I do not know. Please write to support@shop.example.com.
             */
            refusal_text: (string | {
                [key: string]: string;
            }) | null;
            /**
             * Greeting
             * @description The answer to greetings, thanks and questions about the service: a text of 1 to 2000 characters,
             *     or an object of such texts by language. By default it names what the documents are about, in the
             *     language of the message.
             * @default null
             * @example {
             *       "en": "Hello! Ask me about orders.",
             *       "de": "Hallo! Fragen Sie mich nach Bestellungen."
             *     }
             */
            greeting: (string | {
                [key: string]: string;
            }) | null;
        };
        EvaluationFiguresDto: {
            /**
             * Format: int64
             * @description The median time of an answer.
             * @example 6
             */
            latency_p50_ms: number | null;
            /**
             * @description The share of the questions with `external_ids` whose first passage is of a named document.
             * @example 0.93
             */
            hit_at_1: number | null;
            /**
             * @description The same for the first five passages.
             * @example 0.98
             */
            hit_at_5: number | null;
            /**
             * @description The mean of 1 / `rank`, 0 beyond the first ten passages.
             * @example 0.95
             */
            mrr_at_10: number | null;
            /**
             * @description Normalized discounted cumulative gain of the first ten passages: also counts where further named
             *     documents are found.
             * @example 0.96
             */
            ndcg_at_10: number | null;
            /**
             * @description The share of the answerable questions that are answered.
             * @example 0.94
             */
            answered_rate: number | null;
            /**
             * @description The share of the answerable questions whose answer is right.
             * @example 0.85
             */
            right_rate: number | null;
            /**
             * @description The share of the questions with `answerable: false` that are answered all the same.
             * @example 0.07
             */
            false_answer_rate: number | null;
        };
        EvaluationErrorDto: {
            /** @example model_unavailable */
            code: string;
            /** @example The model behind the service cannot be reached. */
            message: string;
        };
        EvaluationDto: {
            /** @example eval_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * Format: int64
             * @example 200
             */
            question_count: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            finished_at: string | null;
            questions: components["schemas"]["EvaluatedQuestionDto"][];
            /** @example Shop questions, November */
            name: string | null;
            /**
             * @example complete
             * @enum {string}
             */
            status: "complete" | "failed" | "pending" | "running";
            /**
             * @description The share of the questions that were asked.
             * @example 1
             */
            progress: number;
            /** @description Those it uses: of the knowledge base when it was created, and of the request. */
            settings: components["schemas"]["EvaluatedSettingsDto"];
            /** @description Null until it is complete. */
            figures: components["schemas"]["EvaluationFiguresDto"] | null;
            /** @description Why it failed; else null. */
            error: components["schemas"]["EvaluationErrorDto"] | null;
            /** @example alice */
            created_by: string;
        };
        EvaluationSummaryDto: {
            /** @example eval_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @example kb_01kafdp6ygf4rs4s2cr5cvzwkc */
            kb_id: string;
            /**
             * Format: int64
             * @example 200
             */
            question_count: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example null
             */
            finished_at: string | null;
            /** @example Shop questions, November */
            name: string | null;
            /**
             * @example complete
             * @enum {string}
             */
            status: "complete" | "failed" | "pending" | "running";
            /**
             * @description The share of the questions that were asked.
             * @example 1
             */
            progress: number;
            /** @description Those it uses: of the knowledge base when it was created, and of the request. */
            settings: components["schemas"]["EvaluatedSettingsDto"];
            /** @description Null until it is complete. */
            figures: components["schemas"]["EvaluationFiguresDto"] | null;
            /** @description Why it failed; else null. */
            error: components["schemas"]["EvaluationErrorDto"] | null;
            /** @example alice */
            created_by: string;
        };
        JsonRpcErrorDto: {
            /** Format: int32 */
            code: number;
            message: string;
            data?: {
                [key: string]: unknown;
            };
        };
        JsonRpcResponseDto: {
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @example 1 */
            id?: string | number | null;
            /**
             * @example {
             *       "tools": []
             *     }
             */
            result?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["JsonRpcErrorDto"];
        };
        JsonRpcRequestDto: {
            /**
             * @description Such as `initialize`, `tools/list` or `tools/call`.
             * @example tools/list
             */
            method: string;
            /** @enum {string} */
            jsonrpc: "2.0";
            /**
             * @description Absent in a notification, which is not answered.
             * @example 1
             */
            id?: string | number;
            /** @example {} */
            params?: {
                [key: string]: unknown;
            };
        };
        OpenAiErrorDetailDto: {
            /**
             * @description Stable and meant for programs: the codes of all operations.
             * @enum {string}
             */
            code: "already_rotated" | "api_key_expired" | "api_key_required" | "api_key_revoked" | "client_token_expired" | "content_not_found" | "content_store_unavailable" | "daily_limit_reached" | "dashboard_authentication_required" | "database_unavailable" | "duplicate_document" | "end_user_mismatch" | "host_not_allowed" | "idempotency_conflict" | "identity_provider_unavailable" | "insufficient_role" | "insufficient_scope" | "internal_error" | "invalid_api_key" | "invalid_signature" | "invalid_user_id" | "ip_not_allowed" | "knowledge_base_busy" | "last_owner" | "method_not_allowed" | "model_not_found" | "model_timeout" | "model_unavailable" | "not_found" | "origin_not_allowed" | "owner_required" | "payload_too_large" | "quota_reached" | "rate_limited" | "signing_keys_unavailable" | "too_many_uploads" | "unsupported_media_type" | "validation_failed" | "verification_busy" | "webhook_deactivated" | "webhook_limit_reached" | "worker_unavailable";
            /** @description What is wrong, and what to do about it. */
            message: string;
            /** @example invalid_request_error */
            type: string;
            /**
             * @description The parameter that is wrong, or null.
             * @example null
             */
            param: string | null;
            /** @description Also in the header X-Request-Id; quote it when you ask for help. */
            request_id: string;
        };
        OpenAiErrorDto: {
            error: components["schemas"]["OpenAiErrorDetailDto"];
        };
        UrlCitationDto: {
            /** Format: int32 */
            start_index: number;
            /** Format: int32 */
            end_index: number;
            /** @example Returns policy */
            title: string;
            /**
             * @description The document’s `source_url`, or a URN with its id.
             * @example https://shop.example.com/returns
             */
            url: string;
        };
        AnnotationDto: {
            /** @enum {string} */
            type: "url_citation";
            url_citation: components["schemas"]["UrlCitationDto"];
        };
        CompletionMessageDto: {
            refusal: null;
            /** @enum {string} */
            role: "assistant";
            /** @example Customers may return any order within 30 days of delivery. [1] */
            content: string;
            annotations: components["schemas"]["AnnotationDto"][];
        };
        CompletionChoiceDto: {
            /** Format: int32 */
            index: number;
            logprobs: null;
            message: components["schemas"]["CompletionMessageDto"];
            /** @enum {string} */
            finish_reason: "content_filter" | "length" | "stop";
        };
        CompletionUsageDto: {
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
            /** Format: int64 */
            total_tokens: number;
        };
        ChatCompletionDto: {
            /**
             * Format: int64
             * @description In seconds since 1970.
             */
            created: number;
            /** @example msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            message_id: string;
            /** @example conv_01kafdp6ygf4rs4s2cr5cvzwkc */
            conversation_id: string;
            /** @example chatcmpl-msg_01kafdp6ygf4rs4s2cr5cvzwkc */
            id: string;
            /** @enum {string} */
            object: "chat.completion";
            /** @example latchkey */
            model: string;
            choices: components["schemas"]["CompletionChoiceDto"][];
            usage: components["schemas"]["CompletionUsageDto"];
            sources: components["schemas"]["SourceDto"][];
            /** @description False when the documents do not answer the question; the content is then the refusal. */
            answered: boolean;
            /**
             * @description The message asks nothing: it is a greeting, thanks or the like. Else left out.
             * @enum {string}
             */
            kind?: "smalltalk";
            /** @description As in the answers of `/chat`; left out without a language model. */
            grounded?: boolean;
            /** @description Where `answered` is false: up to three passages that may help. Else left out. */
            related?: components["schemas"]["SourceDto"][];
        };
        ChatMessageDto: {
            /**
             * @description A text, or parts of type `text`.
             * @example How long may customers return an order?
             */
            content: string | {
                /** @enum {string} */
                type: "text";
                text: string;
            }[];
            /**
             * @description `developer` is another name of `system`.
             * @enum {string}
             */
            role: "assistant" | "developer" | "system" | "user";
            /** @example null */
            name?: string | null;
        };
        StreamOptionsDto: {
            /**
             * @description Whether a last chunk has the token usage.
             * @example null
             */
            include_usage?: boolean | null;
        };
        ChatCompletionRequestDto: {
            /**
             * @description `latchkey`, or the id of the key’s knowledge base.
             * @example latchkey
             */
            model: string;
            /**
             * @description The last is the question, those before it its history; nothing else of them is kept.
             * @example [
             *       {
             *         "role": "user",
             *         "content": "How long may customers return an order?"
             *       }
             *     ]
             */
            messages: components["schemas"]["ChatMessageDto"][];
            /** @example null */
            temperature?: number | null;
            /** @example null */
            top_p?: number | null;
            /**
             * Format: int32
             * @example null
             */
            max_tokens?: number | null;
            /**
             * Format: int32
             * @example null
             */
            max_completion_tokens?: number | null;
            stop?: string | string[];
            /**
             * Format: int32
             * @example null
             */
            seed?: number | null;
            /** @example null */
            frequency_penalty?: number | null;
            /** @example null */
            presence_penalty?: number | null;
            /**
             * @description The end user, as `end_user_id` of `/chat`.
             * @example null
             */
            user?: string | null;
            /** @example null */
            stream?: boolean | null;
            stream_options?: components["schemas"]["StreamOptionsDto"] | null;
        };
        ModelDto: {
            /**
             * Format: int64
             * @description In seconds since 1970.
             */
            created: number;
            /** @example latchkey */
            id: string;
            /** @enum {string} */
            object: "model";
            /** @example latchkey */
            owned_by: string;
        };
        ModelListDto: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["ModelDto"][];
        };
        RankingOptionsDto: {
            /** @enum {string} */
            ranker?: "auto";
            /**
             * @description Only results with at least this score, 0 to 1.
             * @example null
             */
            score_threshold?: number | null;
        };
        VectorStoreSearchDto: {
            /**
             * @description Several are searched as one.
             * @example How long may customers return an order?
             */
            query: string | string[];
            /**
             * Format: int32
             * @description 10 by default.
             * @example null
             */
            max_num_results?: number | null;
            filters?: (components["schemas"]["EqualityFilterDto"] | components["schemas"]["OrderFilterDto"] | components["schemas"]["MembershipFilterDto"] | components["schemas"]["CompoundFilterDto"]) | null;
            /** @enum {boolean} */
            rewrite_query?: false;
            ranking_options?: components["schemas"]["RankingOptionsDto"] | null;
        };
        VectorStoreContentDto: {
            /** @enum {string} */
            type: "text";
            /** @example Customers may return any order within 30 days of delivery. */
            text: string;
        };
        VectorStoreResultDto: {
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            file_id: string;
            /**
             * @description The document’s metadata; lists and objects as JSON text.
             * @example {
             *       "department": "support"
             *     }
             */
            attributes: {
                [key: string]: string | number | boolean;
            };
            /** @example Returns policy */
            filename: string;
            /**
             * @description 0 to 1.
             * @example 0.87
             */
            score: number;
            content: components["schemas"]["VectorStoreContentDto"][];
        };
        VectorStoreResultsDto: {
            next_page: null;
            /** @enum {string} */
            object: "vector_store.search_results.page";
            search_query: string[];
            /** @description Best first. */
            data: components["schemas"]["VectorStoreResultDto"][];
            /** @example false */
            has_more: boolean;
        };
        DifyErrorDto: {
            /**
             * Format: int32
             * @description 1001, 1002 and 2001 are Dify’s own; all others are the HTTP status.
             */
            error_code: number;
            /** @description Our code, and what to do about it. */
            error_msg: string;
        };
        RetrievalSettingDto: {
            /** Format: int32 */
            top_k: number;
            /**
             * @description Only records with at least this score, 0 to 1.
             * @example null
             */
            score_threshold?: number | null;
        };
        MetadataConditionDto: {
            /**
             * @description The key of the metadata. Older versions of Dify send a list: one of its keys must meet the condition.
             * @example department
             */
            name: string | string[];
            /**
             * @description As Dify names it. Those that search within texts, such as `contains`, are refused.
             * @enum {string}
             */
            comparison_operator: "<" | "=" | ">" | "after" | "before" | "in" | "is" | "is not" | "not in" | "≠" | "≤" | "≥";
            /** @example support */
            value?: (string | number) | (string | number)[] | null;
        };
        MetadataConditionsDto: {
            /**
             * @description Without any, nothing is filtered.
             * @example null
             */
            conditions?: components["schemas"]["MetadataConditionDto"][] | null;
            /**
             * @example null
             * @enum {string|null}
             */
            logical_operator?: "and" | "or" | null;
        };
        DifyRetrievalDto: {
            /**
             * @description The id of the key’s knowledge base.
             * @example kb_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            knowledge_id: string;
            /** @example How long may customers return an order? */
            query: string;
            /**
             * @example {
             *       "top_k": 5
             *     }
             */
            retrieval_setting: components["schemas"]["RetrievalSettingDto"];
            metadata_condition?: components["schemas"]["MetadataConditionsDto"] | null;
        };
        DifyRecordDto: {
            content: string;
            /** @description 0 to 1. */
            score: number;
            title: string;
            /** @description The document’s own, with its id, source and place. */
            metadata: {
                [key: string]: unknown;
            };
        };
        DifyRetrievalAnswerDto: {
            records: components["schemas"]["DifyRecordDto"][];
        };
        FiguresDto: {
            /**
             * Format: int64
             * @description Answered `/query` requests.
             */
            queries: number;
            /**
             * Format: int64
             * @description Answered `/chat` requests, those whose client left before the end included.
             */
            chats: number;
            /**
             * Format: int64
             * @description Begun in that time.
             */
            conversations: number;
            /**
             * Format: int64
             * @description Different `end_user_id`s, by quarters of an hour.
             */
            end_users: number;
            /**
             * Format: int64
             * @description Chats with an answer from the documents.
             */
            answered: number;
            /**
             * Format: int64
             * @description Chats without one; where the client left before the end, neither counts.
             */
            unanswered: number;
            /**
             * Format: int64
             * @description Greetings, thanks and the like: they ask nothing, so they are no chats.
             */
            small_talk: number;
            /**
             * Format: int64
             * @description Answers of that time that were rated so, whenever that was.
             */
            up: number;
            /** Format: int64 */
            down: number;
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Requests refused although the key was a real one, by quarters of an hour.
             */
            refused: number;
            /**
             * @description up / (up + down); null when nothing was rated.
             * @example 0.9
             */
            satisfaction_rate: number | null;
            /**
             * @description Half of the answers took no longer, to within 10 %; null without any.
             * @example 12.5
             */
            latency_p50_ms: number | null;
            /** @example 48.2 */
            latency_p95_ms: number | null;
        };
        SeriesRowDto: {
            /**
             * Format: int64
             * @description Answered `/query` requests.
             */
            queries: number;
            /**
             * Format: int64
             * @description Answered `/chat` requests, those whose client left before the end included.
             */
            chats: number;
            /**
             * Format: int64
             * @description Begun in that time.
             */
            conversations: number;
            /**
             * Format: int64
             * @description Different `end_user_id`s, by quarters of an hour.
             */
            end_users: number;
            /**
             * Format: int64
             * @description Chats with an answer from the documents.
             */
            answered: number;
            /**
             * Format: int64
             * @description Chats without one; where the client left before the end, neither counts.
             */
            unanswered: number;
            /**
             * Format: int64
             * @description Greetings, thanks and the like: they ask nothing, so they are no chats.
             */
            small_talk: number;
            /**
             * Format: int64
             * @description Answers of that time that were rated so, whenever that was.
             */
            up: number;
            /** Format: int64 */
            down: number;
            /** Format: int64 */
            prompt_tokens: number;
            /** Format: int64 */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Requests refused although the key was a real one, by quarters of an hour.
             */
            refused: number;
            /**
             * @description up / (up + down); null when nothing was rated.
             * @example 0.9
             */
            satisfaction_rate: number | null;
            /**
             * @description Half of the answers took no longer, to within 10 %; null without any.
             * @example 12.5
             */
            latency_p50_ms: number | null;
            /** @example 48.2 */
            latency_p95_ms: number | null;
            /**
             * @description A day, or the beginning of an hour, in the time zone that was asked for.
             * @example 2026-11-20
             */
            date: string;
        };
        AnalyticsDto: {
            totals: components["schemas"]["FiguresDto"];
            /** @description Every day or hour, also those in which nothing happened. */
            series: components["schemas"]["SeriesRowDto"][];
        };
        KeyAnalyticsRowDto: {
            /**
             * @description It may be deleted since.
             * @example key_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            api_key_id: string;
            totals: components["schemas"]["FiguresDto"];
        };
        KeyAnalyticsDto: {
            /** @description The keys that anything was counted for. */
            data: components["schemas"]["KeyAnalyticsRowDto"][];
        };
        UnansweredQuestionDto: {
            /**
             * Format: int64
             * @example 12
             */
            count: number;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            last_asked_at: string;
            /**
             * @description As it was asked last.
             * @example Do you ship to Norway?
             */
            question: string;
        };
        TopDocumentDto: {
            /** @example doc_01kafdp6ygf4rs4s2cr5cvzwkc */
            document_id: string;
            /**
             * Format: int64
             * @description Chat answers that it is a source of.
             * @example 120
             */
            count: number;
            /** @example Returns policy */
            title: string;
        };
        FieldErrorDto: {
            /** @example name */
            field: string;
            /** @example name must have 1 to 100 characters */
            message: string;
        };
        ProblemDto: {
            /**
             * Format: int32
             * @example 400
             */
            status: number;
            /**
             * @description Stable and meant for programs.
             * @example validation_failed
             * @enum {string}
             */
            code: "already_rotated" | "api_key_expired" | "api_key_required" | "api_key_revoked" | "client_token_expired" | "content_not_found" | "content_store_unavailable" | "daily_limit_reached" | "dashboard_authentication_required" | "database_unavailable" | "duplicate_document" | "end_user_mismatch" | "host_not_allowed" | "idempotency_conflict" | "identity_provider_unavailable" | "insufficient_role" | "insufficient_scope" | "internal_error" | "invalid_api_key" | "invalid_signature" | "invalid_user_id" | "ip_not_allowed" | "knowledge_base_busy" | "last_owner" | "method_not_allowed" | "model_not_found" | "model_timeout" | "model_unavailable" | "not_found" | "origin_not_allowed" | "owner_required" | "payload_too_large" | "quota_reached" | "rate_limited" | "signing_keys_unavailable" | "too_many_uploads" | "unsupported_media_type" | "validation_failed" | "verification_busy" | "webhook_deactivated" | "webhook_limit_reached" | "worker_unavailable";
            /** @example urn:latchkey:problem:validation_failed */
            type: string;
            /** @example Validation failed */
            title: string;
            /** @example The request is not well-formed; see errors. */
            detail: string;
            /** @description Also in the header X-Request-Id; quote it when you ask for help. */
            request_id: string;
            /**
             * @description With `duplicate_document`: the document that is there already.
             * @example doc_01kafdp6ygf4rs4s2cr5cvzwkc
             */
            existing_document_id?: string;
            /** @description With `validation_failed`: what is wrong, field by field. */
            errors?: components["schemas"]["FieldErrorDto"][];
            /**
             * @description With `quota_reached`: the setting that the operator can raise.
             * @example MAX_DOCUMENTS_PER_KNOWLEDGE_BASE
             */
            quota?: string;
        };
    };
    responses: {
        /** @description Refused. */
        Problem: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDto"];
            };
        };
        /** @description Refused. */
        OpenAiError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenAiErrorDto"];
            };
        };
        /** @description Refused. */
        DifyError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DifyErrorDto"];
            };
        };
    };
    parameters: {
        /** @description The id of the delivery, the same in every attempt. */
        "webhook-id": string;
        /** @description The time of the attempt, in seconds since 1970. */
        "webhook-timestamp": string;
        /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this request in the service’s log. One that you send (at most 128 visible ASCII characters) is kept. */
        "X-Request-Id": string;
        /** @description With 429 and 503: when to repeat the request, in seconds. */
        "Retry-After": number;
        /** @description What is left (`r`) of the key’s or the address’s limit, and the seconds until it begins anew (`t`). */
        RateLimit: string;
        /** @description The key’s or the address’s limit: requests (`q`) in a window of seconds (`w`). */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listKnowledgeBases: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["KnowledgeBaseDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    createKnowledgeBase: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Product handbook",
                 *       "description": "Everything support needs to know"
                 *     }
                 */
                "application/json": components["schemas"]["CreateKnowledgeBaseDto"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBaseDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 409 `quota_reached`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBaseDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `owner_required`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    updateKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Product handbook",
                 *       "description": "Everything support needs to know"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateKnowledgeBaseDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnowledgeBaseDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description Only the document with this id of yours. */
                external_id?: string;
                /** @description Only documents whose title contains this, in any case. */
                q?: string;
                /** @description Only documents whose chunks do, or do not, differ from the chunk settings of now. */
                needs_reindex?: boolean;
                /** @description Only documents with this status. */
                status?: "pending" | "processing" | "ready" | "failed";
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DocumentDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    createDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Returns policy",
                 *       "text": "# Returns\n\nCustomers may return any order within 30 days of delivery. Refunds are paid within five working days.",
                 *       "mime_type": "text/markdown",
                 *       "external_id": "policies/returns",
                 *       "metadata": {
                 *         "department": "support",
                 *         "year": 2026
                 *       },
                 *       "source_url": "https://shop.example.com/returns",
                 *       "on_duplicate": "replace"
                 *     }
                 */
                "application/json": components["schemas"]["CreateDocumentDto"];
                "multipart/form-data": components["schemas"]["UploadDocumentDto"];
            };
        };
        responses: {
            /** @description Skipped: the document that is there already. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `duplicate_document`, `quota_reached`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `too_many_uploads`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `content_store_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Returns policy",
                 *       "metadata": {
                 *         "department": "support",
                 *         "year": 2026
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateDocumentDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `duplicate_document`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    reindexDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    reindexKnowledgeBase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReindexDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listDocumentChunks: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChunkDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getDocumentContent: {
        parameters: {
            query?: {
                /** @description Whether the answer may be a redirect to the object store; true unless given. */
                redirect?: boolean;
            };
            header?: never;
            path: {
                document_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The original. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Where the object store has it, for 60 seconds. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`, `content_not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `content_store_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /**
                 * @description Only keys whose name or prefix contains this, in any case. Of a whole key only the prefix is looked
                 *     up, but leave the rest out: addresses are written to logs.
                 */
                q?: string;
                /** @description Only keys that can, or cannot, be used now. */
                active?: boolean;
                /** @description Only keys of this environment. */
                environment?: "live" | "test";
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKeyDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop backend",
                 *       "environment": "live",
                 *       "description": "Answers questions in the order form",
                 *       "expires_at": "2099-12-31T23:59:59.000Z",
                 *       "rate_limit_per_minute": 600,
                 *       "rate_limit_per_end_user": 60,
                 *       "scopes": [
                 *         "query",
                 *         "chat",
                 *         "feedback"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyDto"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `quota_reached`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Shop backend",
                 *       "description": "Answers questions in the order form",
                 *       "expires_at": "2099-12-31T23:59:59.000Z",
                 *       "rate_limit_per_minute": 600,
                 *       "rate_limit_per_end_user": 60,
                 *       "scopes": [
                 *         "query",
                 *         "chat",
                 *         "feedback"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateApiKeyDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `quota_reached`, `already_rotated`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_period_seconds": 86400
                 *     }
                 */
                "application/json": components["schemas"]["RotateApiKeyDto"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`, `api_key_revoked`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `quota_reached`, `already_rotated`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getApiKeyUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyUsageDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "How long may customers return an order?",
                 *       "api_key": "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": components["schemas"]["QueryDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryAnswerDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "How long may customers return an order?",
                 *       "api_key": "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                 *       "top_k": 5,
                 *       "end_user_id": "customer-4711"
                 *     }
                 */
                "application/json": components["schemas"]["ChatDto"];
            };
        };
        responses: {
            /** @description The answer; with `stream`, as server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswerDto"];
                    /**
                     * @example event: message_start
                     *     data: {"conversation_id":"conv_01kafdp6ygf4rs4s2cr5cvzwkc","message_id":"msg_01kafdp6ygf4rs4s2cr5cvzwkc"}
                     *
                     *     event: sources
                     *     data: {"sources":[]}
                     *
                     *     event: delta
                     *     data: {"text":"Within 30 days of delivery. [1]"}
                     *
                     *     event: message_end
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `end_user_mismatch`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `daily_limit_reached`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 502 `model_unavailable`
             *     - 503 `database_unavailable`, `worker_unavailable`, `verification_busy`
             *     - 504 `model_timeout`
             */
            default: components["responses"]["Problem"];
        };
    };
    giveFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rating": "up",
                 *       "api_key": "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                 *       "comment": "Just what I needed."
                 *     }
                 */
                "application/json": components["schemas"]["FeedbackDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageFeedbackDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    createClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "end_user_id": "customer-4711",
                 *       "api_key": "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                 *       "expires_in_seconds": 900
                 *     }
                 */
                "application/json": components["schemas"]["CreateClientTokenDto"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientTokenDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    tryQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "How long may customers return an order?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": components["schemas"]["DashboardQueryDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryAnswerDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    tryChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "How long may customers return an order?",
                 *       "top_k": 5
                 *     }
                 */
                "application/json": components["schemas"]["DashboardChatDto"];
            };
        };
        responses: {
            /** @description The answer; with `stream`, as server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardAnswerDto"];
                    /**
                     * @example event: message_start
                     *     data: {"conversation_id":"conv_01kafdp6ygf4rs4s2cr5cvzwkc","message_id":"msg_01kafdp6ygf4rs4s2cr5cvzwkc"}
                     *
                     *     event: sources
                     *     data: {"sources":[]}
                     *
                     *     event: delta
                     *     data: {"text":"Within 30 days of delivery. [1]"}
                     *
                     *     event: message_end
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `daily_limit_reached`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 502 `model_unavailable`
             *     - 503 `database_unavailable`, `worker_unavailable`, `identity_provider_unavailable`
             *     - 504 `model_timeout`
             */
            default: components["responses"]["Problem"];
        };
    };
    listEvaluations: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EvaluationSummaryDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    createEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "questions": [
                 *         {
                 *           "question": "How long may customers return an order?"
                 *         }
                 *       ],
                 *       "name": "Shop questions, November"
                 *     }
                 */
                "application/json": components["schemas"]["CreateEvaluationDto"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteEvaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listIngestedDocuments: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
                /** @description Only documents with this status. */
                status?: "pending" | "processing" | "ready" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DocumentDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    getIngestedDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own id of the document, percent-encoded. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    putIngestedDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own id of the document, percent-encoded. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Returns policy",
                 *       "text": "# Returns\n\nCustomers may return any order within 30 days of delivery. Refunds are paid within five working days.",
                 *       "mime_type": "text/markdown",
                 *       "metadata": {
                 *         "department": "support",
                 *         "year": 2026
                 *       },
                 *       "source_url": "https://shop.example.com/returns"
                 *     }
                 */
                "application/json": components["schemas"]["PutDocumentDto"];
                "multipart/form-data": components["schemas"]["PutUploadDto"];
            };
        };
        responses: {
            /** @description Unchanged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 409 `quota_reached`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `too_many_uploads`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `content_store_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteIngestedDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Your own id of the document, percent-encoded. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "method": "tools/list",
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "params": {}
                 *     }
                 */
                "application/json": components["schemas"]["JsonRpcRequestDto"];
            };
        };
        responses: {
            /** @description The answer, or events of which the last is the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponseDto"];
                    "text/event-stream": string;
                };
            };
            /** @description A notification, which has no answer. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The message is not one of the protocol. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponseDto"];
                    "application/problem+json": components["schemas"]["ProblemDto"];
                };
            };
            /** @description There is no such method. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponseDto"];
                };
            };
            /** @description The header `Accept` lacks `application/json` or `text/event-stream`. */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcResponseDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "model": "latchkey",
                 *       "messages": [
                 *         {
                 *           "role": "user",
                 *           "content": "How long may customers return an order?"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChatCompletionRequestDto"];
            };
        };
        responses: {
            /** @description The answer; with `stream`, as server-sent events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletionDto"];
                    /**
                     * @example data: {"id":"chatcmpl-msg_01kafdp6ygf4rs4s2cr5cvzwkc","object":"chat.completion.chunk","created":1763631000,"model":"latchkey","choices":[{"index":0,"delta":{"content":"Within 30 days of delivery. [1]"},"logprobs":null,"finish_reason":null}]}
                     *
                     *     data: [DONE]
                     */
                    "text/event-stream": string;
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `end_user_mismatch`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `model_not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `daily_limit_reached`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 502 `model_unavailable`
             *     - 503 `database_unavailable`, `worker_unavailable`, `verification_busy`
             *     - 504 `model_timeout`
             */
            default: components["responses"]["OpenAiError"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelListDto"];
                };
            };
            /**
             * @description - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["OpenAiError"];
        };
    };
    retrieveForDify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "knowledge_id": "kb_01kafdp6ygf4rs4s2cr5cvzwkc",
                 *       "query": "How long may customers return an order?",
                 *       "retrieval_setting": {
                 *         "top_k": 5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DifyRetrievalDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DifyRetrievalAnswerDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 403 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`, `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `verification_busy`
             */
            default: components["responses"]["DifyError"];
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `latchkey`, or the id of the key’s knowledge base. */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDto"];
                };
            };
            /**
             * @description - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`, `model_not_found`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["OpenAiError"];
        };
    };
    searchVectorStore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "How long may customers return an order?"
                 *     }
                 */
                "application/json": components["schemas"]["VectorStoreSearchDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VectorStoreResultsDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `api_key_required`, `invalid_api_key`, `api_key_revoked`, `api_key_expired`, `client_token_expired`
             *     - 403 `insufficient_scope`, `ip_not_allowed`, `origin_not_allowed`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`, `knowledge_base_busy`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `verification_busy`
             */
            default: components["responses"]["OpenAiError"];
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description Only those of this end user. */
                end_user_id?: string;
                /** @description Only those begun then or later; a date means its midnight, UTC. */
                from?: string;
                /** @description Only those begun before. */
                to?: string;
                /**
                 * @description False: only those with a question that was not answered; true: only those with an answer and
                 *     without such a question.
                 */
                answered?: boolean;
                /** @description Only those with an answer that was rated so. */
                rating?: "up" | "down";
                /** @description Only those held with keys of this environment. */
                environment?: "live" | "test";
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConversationDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    eraseConversations: {
        parameters: {
            query: {
                /** @description Whose conversations go. */
                end_user_id: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                conversation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getAnalytics: {
        parameters: {
            query?: {
                /** @description The beginning: a moment, or a date for its midnight in the time zone. By default the last 30 days. */
                from?: string;
                /** @description The end, which is not part of it; by default now. */
                to?: string;
                /** @description Totals by key instead of totals and a series. */
                group_by?: "api_key";
                /** @description The rows of the series: at most 2,200. */
                interval?: "day" | "hour";
                /** @description In which days, hours and dates are meant. */
                timezone?: string;
                /** @description Only what was asked with keys of this environment. */
                environment?: "live" | "test";
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals and a series, or totals by key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalyticsDto"] | components["schemas"]["KeyAnalyticsDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listUnanswered: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description The beginning: a moment, or a date for its midnight in the time zone. By default the last 30 days. */
                from?: string;
                /** @description The end, which is not part of it; by default now. */
                to?: string;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
                /** @description In which days, hours and dates are meant. */
                timezone?: string;
                /** @description Only what was asked with keys of this environment. */
                environment?: "live" | "test";
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnansweredQuestionDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listTopDocuments: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description The beginning: a moment, or a date for its midnight in the time zone. By default the last 30 days. */
                from?: string;
                /** @description The end, which is not part of it; by default now. */
                to?: string;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
                /** @description In which days, hours and dates are meant. */
                timezone?: string;
                /** @description Only what was asked with keys of this environment. */
                environment?: "live" | "test";
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopDocumentDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "system_prompt": "Answer briefly and in the language of the question.",
                 *       "refusal_text": "I do not know. Please write to support@shop.example.com.",
                 *       "greeting": {
                 *         "en": "Hello! Ask me about orders.",
                 *         "de": "Hallo! Fragen Sie mich nach Bestellungen."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSettingsDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MemberDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    putMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
                /** @description As the dashboard’s identity provider names them. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "member"
                 *     }
                 */
                "application/json": components["schemas"]["PutMemberDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `owner_required`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `last_owner`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kb_id: string;
                /** @description As the dashboard’s identity provider names them. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `owner_required`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `last_owner`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/hooks/latchkey",
                 *       "events": [
                 *         "document.failed",
                 *         "api_key.used_after_revocation"
                 *       ],
                 *       "description": "Notifies the shop’s on-call channel"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookDto"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedWebhookDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `webhook_limit_reached`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            /**
             * @description - 400 `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/hooks/latchkey",
                 *       "events": [
                 *         "document.failed",
                 *         "api_key.used_after_revocation"
                 *       ],
                 *       "description": "Notifies the shop’s on-call channel"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedWebhookDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Any text of your own, new for each thing to create: with the same one and the same body, within 24 hours, nothing is created twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `webhook_deactivated`, `idempotency_conflict`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDeliveryDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on in the background. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`, `insufficient_role`
             *     - 404 `not_found`
             *     - 409 `webhook_deactivated`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listOwnedAuditEvents: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description Only what this user did, or `leak-report`. */
                actor?: string;
                /** @description Only what was done then or later; a date means its midnight, UTC. */
                from?: string;
                /** @description Only what was done before. */
                to?: string;
                /** @description Only of this knowledge base, which may be deleted by now. */
                kb_id?: string;
                /** @description Only such changes. */
                action?: "knowledge_base.created" | "knowledge_base.updated" | "knowledge_base.reindexed" | "knowledge_base.deleted" | "settings.updated" | "member.added" | "member.role_changed" | "member.removed" | "api_key.created" | "api_key.reissued" | "api_key.updated" | "api_key.revoked" | "api_key.rotated" | "api_key.deleted" | "api_key.reported_as_leaked" | "document.added" | "document.replaced" | "document.updated" | "document.reindexed" | "document.deleted" | "conversation.deleted" | "conversations.erased" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.activated" | "webhook.deactivated" | "webhook.deleted";
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEventDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description How many rows at most. */
                limit?: number;
                /** @description Only what this user did, or `leak-report`. */
                actor?: string;
                /** @description Only what was done then or later; a date means its midnight, UTC. */
                from?: string;
                /** @description Only what was done before. */
                to?: string;
                /** @description Only such changes. */
                action?: "knowledge_base.created" | "knowledge_base.updated" | "knowledge_base.reindexed" | "knowledge_base.deleted" | "settings.updated" | "member.added" | "member.role_changed" | "member.removed" | "api_key.created" | "api_key.reissued" | "api_key.updated" | "api_key.revoked" | "api_key.rotated" | "api_key.deleted" | "api_key.reported_as_leaked" | "document.added" | "document.replaced" | "document.updated" | "document.reindexed" | "document.deleted" | "conversation.deleted" | "conversations.erased" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.activated" | "webhook.deactivated" | "webhook.deleted";
                /** @description `next_cursor` of the page before; none for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                kb_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEventDto"][];
                        /** @description Send it as `cursor` for the next page; null on the last. */
                        next_cursor: string | null;
                        /** @example false */
                        has_more: boolean;
                        /**
                         * Format: int64
                         * @description Rows on all pages.
                         * @example 1
                         */
                        total: number;
                    };
                };
            };
            /**
             * @description - 400 `validation_failed`, `invalid_user_id`
             *     - 401 `dashboard_authentication_required`
             *     - 403 `origin_not_allowed`, `host_not_allowed`
             *     - 404 `not_found`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `identity_provider_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    getSecurityTxt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /**
             * @description - 404 `not_found`
             *     - 500 `internal_error`
             */
            default: components["responses"]["Problem"];
        };
    };
    reportLeakedApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_keys": [
                 *         "rag_live_8fJ2kQ9xZaxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LeakReportDto"];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeakReportAnswerDto"];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 429 `rate_limited`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    reportLeakedApiKeysByGithub: {
        parameters: {
            query?: never;
            header: {
                /** @description ECDSA (P-256) over the SHA-256 of the body, in Base64. */
                "Github-Public-Key-Signature": string;
                "Github-Public-Key-Identifier": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GithubLeakDto"][];
            };
        };
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GithubLeakVerdictDto"][];
                };
            };
            /**
             * @description - 400 `validation_failed`
             *     - 401 `invalid_signature`
             *     - 413 `payload_too_large`
             *     - 415 `unsupported_media_type`
             *     - 500 `internal_error`
             *     - 503 `database_unavailable`, `signing_keys_unavailable`, `verification_busy`
             */
            default: components["responses"]["Problem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthDto"];
                };
            };
            /** @description - 500 `internal_error` */
            default: components["responses"]["Problem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; the answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthDto"];
                };
            };
            /**
             * @description - 500 `internal_error`
             *     - 503 `database_unavailable`, `worker_unavailable`
             */
            default: components["responses"]["Problem"];
        };
    };
    onDocumentReady: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "document.ready";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["DocumentEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDocumentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "document.failed";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["DocumentEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.created";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyRotated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.rotated";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyRevoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.revoked";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.deleted";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyExpiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.expiring";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyExpiryEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyReportedAsLeaked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.reported_as_leaked";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyUsedAfterRevocation: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "api_key.used_after_revocation";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ApiKeyEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageUnanswered: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "message.unanswered";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["UnansweredEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageRated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "message.rated";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["RatingEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the delivery, the same in every attempt. */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between. */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "webhook.test";
                    /**
                     * Format: date-time
                     * @description When the event occurred.
                     * @example 2026-11-20T09:30:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["TestEventDataDto"];
                };
            };
        };
        responses: {
            /** @description Gone: the webhook is deactivated, and nothing more is sent. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response must come within ten seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: the delivery is retried later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
