import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { refuseForeignPage } from '../../knowledge-bases/dashboard-auth/foreign-page.js';
import { AcceptsForm } from '../../platform/http/request-body.js';
import { Problem } from '../../platform/problems/problem.js';
import type { Begun } from './agent-connections.js';
import { AgentConnecting, type Asked } from './agent-connecting.js';
import { toAskingClient } from './asking-client.js';
import { AuthorizationServers, type Server } from './authorization-servers.js';
import { PAGE_HEADERS, renderConnect, renderFailure } from './pages.js';
import { PersonSignIn } from './person-sign-in.js';
import { parseScopes, toResourceName } from './resources.js';

/** What the form sends; each knowledge base that was chosen is a field too. */
type Form = Readonly<Record<string, unknown>>;

const TOO_OLD =
  'This page is too old, or was opened in another browser than the one it was made for. Or what the app says about itself cannot be read.';

/** The page on which a person connects an agent. It needs no script. */
@ApiExcludeController()
@Controller('oauth')
export class ConnectController {
  constructor(
    private readonly servers: AuthorizationServers,
    private readonly connecting: AgentConnecting,
    private readonly signIn: PersonSignIn,
  ) {}

  @Get('connect/:uid')
  async showPage(
    @Param('uid') uid: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const server = await this.servers.find(request);
    const asked = await findAsked(server, uid, request, reply);
    await (asked ? this.sendPage(server, asked, request, reply) : sendTooOld(reply));
  }

  @Post('connect/:uid')
  @AcceptsForm()
  async connect(
    @Param('uid') uid: string,
    @Body() form: Form,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const server = await this.servers.find(request);
    refuseForeignForm(request, server);
    const asked = await findAsked(server, uid, request, reply);
    if (!asked) return sendTooOld(reply);
    const leave = async (result: InteractionResults) => {
      const { raw } = request;
      const { provider } = server;
      const address = await provider.interactionResult(raw, reply.raw, result, {
        mergeWithLastSubmission: false,
      });
      await reply.redirect(address, 303);
    };
    if (form['decision'] === 'cancel') {
      return leave({ error: 'access_denied', error_description: 'The person has cancelled' });
    }
    if (form['decision'] === 'sign-in' && this.signIn.isOffered) {
      await reply.redirect(await this.signIn.begin(server.base, uid), 303);
      return;
    }
    try {
      const begun =
        form['decision'] === 'choose'
          ? await this.connecting.connectPerson(asked, request, Object.keys(form))
          : await this.connecting.connectKey(asked, request, form['api_key']);
      await grant(server, asked, begun);
      await leave({
        login: { accountId: begun.id, remember: false },
        consent: { grantId: begun.id },
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // A page that has connected connects nothing else.
      if (error.code === 'not_found') await sendFailure(reply, error.detail);
      else await this.sendPage(server, asked, request, reply, error);
    }
  }

  /** The identity provider sends the person here, who goes on to the page. */
  @Get('signed-in')
  async receivePerson(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { base } = await this.servers.find(request);
    const page = await this.signIn.finish(base, request, reply);
    await (page === undefined ? sendTooOld(reply) : reply.redirect(page, 303));
  }

  private async sendPage(
    server: Server,
    asked: Asked,
    request: FastifyRequest,
    reply: FastifyReply,
    problem?: Problem,
  ): Promise<void> {
    const page = renderConnect({
      // Below the path of PUBLIC_URL, which a proxy may take off.
      action: new URL(`${server.base}/oauth/connect/${asked.uid}`).pathname,
      client: asked.client,
      scopes: asked.scopes,
      person: await this.connecting.findPerson(request, asked.uid),
      offersSignIn: this.signIn.isOffered,
      ...(problem && { error: problem.reasons.join('; ') }),
    });
    await reply
      .status(problem?.getStatus() ?? 200)
      .headers({ ...PAGE_HEADERS, ...problem?.headers })
      .send(page);
  }
}

/**
 * Grants what the key has of the scopes that are asked for. The others are refused, or they would be asked for again.
 */
async function grant(
  { provider }: Server,
  { clientId, indicator, scopes: asked }: Asked,
  { id, scopes }: Begun,
): Promise<void> {
  const grant = new provider.Grant({ accountId: id, clientId });
  grant.jti = id;
  grant.addResourceScope(indicator, scopes.join(' '));
  const refused = asked.filter((scope) => !scopes.includes(scope));
  if (refused.length > 0) grant.rejectResourceScope(indicator, refused.join(' '));
  await grant.save();
}

/** @returns undefined unless this browser has begun it, within half an hour */
async function findAsked(
  { provider, base }: Server,
  uid: string,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): Promise<Asked | undefined> {
  try {
    const { params, uid: found } = await provider.interactionDetails(raw, reply.raw);
    if (found !== uid) return undefined;
    const client = await provider.Client.find(String(params['client_id']));
    return client && toAsked(uid, base, params, client.clientName);
  } catch (error) {
    // The library's errors: there is no such page, or the client's document is away.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function toAsked(
  uid: string,
  base: string,
  params: Readonly<Record<string, unknown>>,
  name: string | undefined,
): Asked | undefined {
  const [clientId, indicator] = [String(params['client_id']), String(params['resource'])];
  const resource = toResourceName(base, indicator);
  const scopes = parseScopes(params['scope']);
  const client = toAskingClient(clientId, name, String(params['redirect_uri']));
  return resource && { ...{ uid, clientId, client, indicator, resource, scopes } };
}

const isRefusal = (error: unknown): boolean =>
  (error as { readonly expose?: unknown } | null)?.expose === true;

const sendTooOld = (reply: FastifyReply): Promise<void> => sendFailure(reply, TOO_OLD);

const sendFailure = async (reply: FastifyReply, reason: string): Promise<void> => {
  await reply.status(400).headers(PAGE_HEADERS).send(renderFailure(reason));
};

/**
 * Refuses a form of another site's page. The cookie of the page would not come with it either.
 *
 * @throws Problem `origin_not_allowed`
 */
function refuseForeignForm({ headers }: FastifyRequest, { base }: Server): void {
  const { origin } = headers;
  if (origin !== undefined && origin !== new URL(base).origin) {
    throw new Problem('origin_not_allowed');
  }
  refuseForeignPage({ method: 'POST', headers }, []);
}
