import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { demoPartner } from './demo-agent.ts'
import { templateKey } from './directory.ts'
import { sendFromBot } from './dotgo-sending.ts'
import { saveTemplate, type TemplateForm } from './dotgo-templates.ts'
import { bearerOf, bodyOf, postedOf, queryOf, speakGoogle } from './http.ts'
import type { Agent, DotgoTemplate } from './objects.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { digitsOf, isRow } from './reading.ts'

const mostBytes = 101 * 1024 * 1024

type BotRequest = FastifyRequest<{ Params: { botId: string; name?: string } }>

/** The RCS platform of Dotgo, which Vi uses, under `/dotgo`. */
export async function dotgoApi(app: FastifyInstance, { rbm }: { rbm: Rbm }) {
  speakGoogle(app)
  app.post('/dotgo/token', async (request, reply) => giveToken(rbm, request, reply))
  mountTemplates(app, rbm)
  for (const base of ['/dotgo/bot/v1', '/dotgo/bot/v1/:botId'])
    for (const path of ['agentMessages', 'agentMessages/async'])
      app.post<{ Params: { number: string; botId?: string } }>(
        `${base}/phones/:number/${path}`,
        async (request, reply) => {
          authenticate(rbm, request, { isAdmin: false })
          const { botId = request.params.botId ?? '', messageId = randomUUID() } = queryOf(request)
          const number = digitsOf(request.params.number)
          if (number === undefined) throw invalid('phone', 'must be in E.164 format')
          return sendFromBot(rbm, { bot: needBot(rbm, botId), number, messageId, body: bodyOf(request), reply })
        },
      )
}

/** Client credentials: one pair sends, the other manages templates. */
function giveToken(rbm: Rbm, request: FastifyRequest, reply: FastifyReply) {
  const { clientId, clientSecret, adminId, adminSecret } = demoPartner.dotgo
  const [scheme = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString() : ''
  const isAdmin = pair === `${adminId}:${adminSecret}`
  if (!isAdmin && pair !== `${clientId}:${clientSecret}`) return reply.code(401).send({ error: 'invalid_client' })
  if (postedOf(request).form?.get('grant_type') !== 'client_credentials')
    return reply.code(400).send({ error: 'unsupported_grant_type' })
  const token = randomBytes(24).toString('base64url')
  rbm.dotgoTokens.set(token, { isAdmin, expiresAtMs: Date.now() + rbm.settings.tokenMs })
  const expiresIn = Math.floor(rbm.settings.tokenMs / 1000)
  return reply.send({ access_token: token, token_type: 'bearer', expires_in: expiresIn })
}

function authenticate(rbm: Rbm, request: FastifyRequest, { isAdmin }: { isAdmin: boolean }) {
  const token = rbm.dotgoTokens.get(bearerOf(request))
  if (!token || token.expiresAtMs <= Date.now())
    throw new RbmError('UNAUTHENTICATED', 'The access token is invalid or expired')
  if (token.isAdmin !== isAdmin) throw new RbmError('PERMISSION_DENIED', 'These credentials do not allow this call')
}

function needBot({ directory }: Rbm, id: string): Agent {
  const bot = directory.agents.get(id)
  if (bot?.platform !== 'dotgo') throw new RbmError('NOT_FOUND', `There is no bot ${id}`)
  return bot
}

type TemplateAnswer = (rbm: Rbm, bot: Agent, request: BotRequest) => unknown

const templateCalls: Record<string, TemplateAnswer> = {
  'POST /templates': createTemplate,
  'GET /templates': (rbm, bot) => ({
    templateList: [...rbm.directory.templates.values()].filter(({ botId }) => botId === bot.id).map(presentEntry),
  }),
  'POST /templates/:name': updateTemplate,
  'GET /templates/:name': (rbm, bot, request) => presentTemplate(findTemplate(rbm, bot, request)),
  'GET /templates/:name/templateStatus': (rbm, bot, request) => presentStatus(findTemplate(rbm, bot, request)),
  'POST /deleteTemplate/:name': (rbm, bot, request) => {
    rbm.directory.templates.delete(templateKey(findTemplate(rbm, bot, request)))
    return { status: 'success', message: 'Template deleted' }
  },
}

function mountTemplates(app: FastifyInstance, rbm: Rbm) {
  for (const [call, answer] of Object.entries(templateCalls)) {
    const [method = '', path = ''] = call.split(' ')
    app.route({
      method,
      url: `/dotgo/directory/secure/api/v1/bots/:botId${path}`,
      bodyLimit: mostBytes,
      handler: async (request: BotRequest, reply) => {
        authenticate(rbm, request, { isAdmin: true })
        const bot = needBot(rbm, request.params.botId)
        try {
          return await answer(rbm, bot, request)
        } catch (error) {
          return refuse(rbm, reply, error)
        }
      },
    })
  }
}

/** This platform reports invalid content in a response that says 200. */
function refuse({ settings }: Rbm, reply: FastifyReply, error: unknown) {
  if (!(error instanceof RbmError) || error.status !== 'INVALID_ARGUMENT' || !settings.dotgoErrorsIn200) throw error
  return reply.code(200).send({ status: 'Bad Request', error: { code: 400, message: error.message } })
}

async function createTemplate(rbm: Rbm, bot: Agent, request: BotRequest) {
  const form = await readForm(request)
  const name = typeof form.data.name === 'string' ? form.data.name : ''
  if (rbm.directory.templates.has(templateKey({ botId: bot.id, name })))
    throw new RbmError('INVALID_ARGUMENT', `A template ${name} exists already`)
  return presentEntry(await saveTemplate(rbm, bot, form))
}

async function updateTemplate(rbm: Rbm, bot: Agent, request: BotRequest) {
  const { name } = findTemplate(rbm, bot, request)
  const form = await readForm(request)
  return presentEntry(await saveTemplate(rbm, bot, { ...form, data: { ...form.data, name } }))
}

/** Names are base64 with `-` and `_`, and with padding. */
function findTemplate({ directory }: Rbm, { id }: Agent, { params }: BotRequest): DotgoTemplate {
  const coded = params.name ?? ''
  const name = Buffer.from(coded, 'base64url').toString()
  const template = coded.length % 4 === 0 ? directory.templates.get(templateKey({ botId: id, name })) : undefined
  if (!template) throw new RbmError('NOT_FOUND', `There is no template ${name}`)
  return template
}

async function readForm(request: FastifyRequest): Promise<TemplateForm> {
  const type = request.headers['content-type'] ?? ''
  const { bytes } = postedOf(request)
  if (!bytes || !type.startsWith('multipart/form-data'))
    throw new RbmError('INVALID_ARGUMENT', 'The request must be multipart/form-data')
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const text = form.get('rich_template_data')
  const files = form.getAll('multimedia_files').filter((each) => each instanceof File)
  try {
    const data: unknown = JSON.parse(typeof text === 'string' ? text : '')
    if (isRow(data)) return { data, files }
  } catch {
    // Rejected below.
  }
  throw invalid('rich_template_data', 'must be a JSON object')
}

function presentEntry({ name, data, status, reason }: DotgoTemplate) {
  return { name, type: data.type, status, ...(reason ? { rejectionReason: reason } : {}) }
}

function presentTemplate(template: DotgoTemplate) {
  return { ...template.data, ...presentEntry(template) }
}

/** This call writes the status in upper case, the list in lower case. */
function presentStatus({ name, status, reason }: DotgoTemplate) {
  return { templateName: name, templateStatus: status.toUpperCase(), ...(reason ? { rejectionReason: reason } : {}) }
}
