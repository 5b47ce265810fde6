import { endpoints } from '@carillon/contract'
import { messages } from '@carillon/contract/errors'
import type { McpHttpHandler, McpServer } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKeyActor, UserActor } from '../../actor.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { limitCall, refuseKeyInUrl, type CountCall } from '../api-key-calls.ts'
import { bearerOf, clientOf, type Client } from '../client.ts'
import { isAllowed } from '../mount.ts'
import { callTool } from './call-tool.ts'
import { tools, type Tool } from './tools.ts'

type McpOptions = {
  version: string
  logger: Logger
  authenticate(token: string, client: Client): Promise<UserActor | undefined>
  countCall: CountCall
}

type KeyOwner = UserActor & { apiKey: ApiKeyActor }

/** Who asks, for the server that is created for each request. */
type Caller = { actor: KeyOwner; request: FastifyRequest }

const instructions =
  'Carillon sends messages over several channels. Tools that send only check the message unless dryRun is false: ask the person before.'

/**
 * The Model Context Protocol at POST /mcp, stateless, for AI agents with an API key. Tools are the calls that the contract marks, as far as
 * the key may make them.
 */
export async function mountMcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  let handler: Promise<McpHttpHandler> | undefined
  await app.register(async (mcp) => {
    // The protocol has its own answer to a body that is not JSON.
    mcp.removeContentTypeParser('application/json')
    mcp.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    mcp.addHook('onClose', async () => (await handler)?.close())

    const config = { policy: 'mcp', takesKeys: true }
    mcp.post<{ Body: string | undefined }>('/mcp', { config, bodyLimit: 256 * 1024 }, async (request, reply) => {
      const actor = await authenticateAgent(request, options)
      const body = request.body ?? ''
      if (!callsTool(body, actor)) limitCall(reply, options.countCall(actor, actor.apiKey, clientOf(request)))
      // A megabyte of code that most installations never need.
      handler ??= createHandler(app, options)
      // Answers a request that was received; it sends none.
      const { fetch: respond } = await handler
      return sendResponse(reply, await respond(toWebRequest(request, body), { authInfo: describe({ actor, request }) }))
    })
    mcp.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      config,
      handler: async (_request, reply) =>
        reply.status(405).header('allow', 'POST').send({
          success: false,
          code: 'bad_request',
          message: 'There are no sessions and no streams: send POST requests',
        }),
    })
  })
}

async function authenticateAgent(request: FastifyRequest, { authenticate }: McpOptions): Promise<KeyOwner> {
  refuseKeyInUrl(request)
  const token = bearerOf(request)
  if (!token) throw new Problem('no_token', messages.noToken)
  const actor = await authenticate(token, clientOf(request))
  if (!actor) throw new Problem('unauthenticated', messages.notAuthenticated)
  const { apiKey } = actor
  if (!apiKey) throw new Problem('forbidden', 'Sessions cannot use this address: send an API key')
  return { ...actor, apiKey }
}

const mayUse = (actor: UserActor, { call }: Tool) => isAllowed({ name: call, endpoint: endpoints[call], actor })

/** Whether the request leads to a call of the API, which counts for the key's limit itself. */
function callsTool(body: string, actor: UserActor): boolean {
  try {
    const message = JSON.parse(body) as { method?: unknown; params?: { name?: unknown } } | null
    const tool = message?.method === 'tools/call' ? tools.get(String(message.params?.name)) : undefined
    return tool !== undefined && mayUse(actor, tool)
  } catch {
    return false
  }
}

async function createHandler(app: FastifyInstance, { version, logger }: McpOptions): Promise<McpHttpHandler> {
  const { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode } = await import('@modelcontextprotocol/server')
  const createServer = ({ actor, request }: Caller): McpServer => {
    const info = { name: 'carillon', title: 'Carillon', version }
    const created = new McpServer(info, { capabilities: { tools: {} }, instructions })
    const usable = [...tools.values()].filter((tool) => mayUse(actor, tool))
    created.server.setRequestHandler('tools/list', () => ({ tools: usable.map(present) }))
    created.server.setRequestHandler('tools/call', ({ params }) => {
      const tool = usable.find(({ name }) => name === params.name)
      if (!tool)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no tool ${params.name}, or the API key may not use it`,
        )
      return callTool(app, request, { tool, given: params.arguments ?? {} })
    })
    return created
  }
  return createMcpHandler(
    // Set by `describe`.
    ({ authInfo }) => createServer(authInfo?.extra?.['caller'] as Caller),
    {
      // Nothing that a client could subscribe to changes while it is connected.
      maxSubscriptions: 0,
      onerror: (error) => logger.debug({ err: error }, 'a request to /mcp failed'),
    },
  )
}

function present({ name, title, description, inputSchema, isRead }: Tool) {
  const annotations = isRead
    ? { readOnlyHint: true, openWorldHint: false }
    : { readOnlyHint: false, destructiveHint: true, openWorldHint: true }
  return { name, title, description, inputSchema, annotations }
}

function describe(caller: Caller) {
  const { id, scopes } = caller.actor.apiKey
  return { token: '', clientId: id, scopes: [...scopes], extra: { caller } }
}

/** Headers of the protocol. */
function toWebRequest({ headers, host }: FastifyRequest, body: string): Request {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (/^(?:accept|content-type|mcp-.+)$/.test(name) && typeof value === 'string') passed.set(name, value)
  return new Request(`http://${host}/mcp`, { method: 'POST', headers: passed, body })
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.status(response.status)
  const type = response.headers.get('content-type')
  if (type) reply.header('content-type', type)
  reply.header('cache-control', 'no-store')
  return reply.send(await response.text())
}
