import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { batchGet } from './batch-get.ts'
import { type Host, hosts } from './carriers.ts'
import { revoke } from './delivery.ts'
import { featuresOf } from './devices.ts'
import type { GoogleCall } from './google-call.ts'
import { authenticate, bodyOf, postedOf, queryOf, speakGoogle } from './http.ts'
import type { Agent, StoredFile } from './objects.ts'
import { timestamp } from './outbox.ts'
import type { Rbm } from './rbm.ts'
import { invalid, RbmError } from './rbm-error.ts'
import { digitsOf, isUuid, needOneOf, needText, needUrl } from './reading.ts'
import { reachProblem, sendMessage } from './send-message.ts'
import { messagingScope } from './tokens.ts'

const mostBytes = 101 * 1024 * 1024

type PhoneRequest = FastifyRequest<{ Params: { number: string; messageId?: string } }>

/** Google's RCS Business Messaging API under `/rbm/{host}/v1`, and its token endpoint. */
export async function googleApi(app: FastifyInstance, { rbm }: { rbm: Rbm }) {
  speakGoogle(app)
  app.post('/rbm/token', async (request, reply) => {
    const { status, body } = rbm.tokens.answer(postedOf(request).form ?? new URLSearchParams())
    return reply.code(status).send(body)
  })
  for (const host of hosts) mountHost(app, rbm, host)
  mountFiles(app, rbm)
}

type Answer = (call: GoogleCall, params: { messageId?: string }) => unknown

const phoneCalls: Record<string, Answer> = {
  'POST agentMessages': sendMessage,
  'DELETE agentMessages/:messageId': revokeMessage,
  'POST agentEvents': sendEvent,
  'GET capabilities': readCapabilities,
}

function mountHost(app: FastifyInstance, rbm: Rbm, host: Host) {
  for (const [call, answer] of Object.entries(phoneCalls)) {
    const [method = '', path = ''] = call.split(' ')
    app.route({
      method,
      url: `/rbm/${host}/v1/phones/:number/${path}`,
      bodyLimit: 1024 * 1024,
      handler: async (request: PhoneRequest, reply) =>
        answer(openCall(rbm, request, { host, reply }), { ...request.params }),
    })
  }
  // The colon of the method is escaped by doubling.
  app.post(`/rbm/${host}/v1/users::batchGet`, async (request) => {
    authenticate(rbm, request, messagingScope)
    const body = bodyOf(request)
    return batchGet(rbm, { body, host, agent: needAgent(rbm, needText({ row: body, name: 'agentId' })) })
  })
  app.post(`/rbm/${host}/v1/files`, async (request) => createFile(rbm, request))
  app.post(`/rbm/${host}/upload/v1/files`, { bodyLimit: mostBytes }, async (request) => uploadFile(rbm, request))
}

function openCall(rbm: Rbm, request: PhoneRequest, { host, reply }: { host: Host; reply: FastifyReply }): GoogleCall {
  authenticate(rbm, request, messagingScope)
  const number = digitsOf(request.params.number)
  if (number === undefined)
    throw new RbmError('INVALID_ARGUMENT', 'The phone number must be in E.164 format, such as +12025550123', 'parent')
  const query = queryOf(request)
  if (!query.agentId) throw invalid('agentId', 'is required')
  const { size } = postedOf(request)
  return { rbm, host, agent: needAgent(rbm, query.agentId), number, query, body: bodyOf(request), size, reply }
}

/** Agents of other partners look the same as missing ones. */
function needAgent({ directory }: Rbm, id: string): Agent {
  const agent = directory.findAgent(id)
  if (agent?.platform !== 'google') throw new RbmError('PERMISSION_DENIED', `The caller may not use the agent ${id}`)
  return agent
}

function revokeMessage({ rbm, agent, number }: GoogleCall, { messageId = '' }: { messageId?: string }) {
  const message = rbm.messages.find({ agent, number, id: messageId })
  if (revoke(rbm, message?.number === number ? message : undefined) === 'not-found')
    throw new RbmError('NOT_FOUND', 'The message was delivered already, or does not exist')
  return {}
}

function sendEvent({ rbm, agent, number, query, body }: GoogleCall) {
  const eventId = query.eventId ?? ''
  if (!isUuid(eventId)) throw invalid('eventId', 'must be a UUID as defined in RFC 4122')
  const eventType = needOneOf({ row: body, name: 'eventType' }, ['IS_TYPING', 'READ'])
  const problem = reachProblem(rbm, agent, number)
  if (problem) throw problem
  const answer = { name: `phones/+${number}/agentEvents/${eventId}`, eventType, sendTime: timestamp() }
  if (eventType === 'IS_TYPING') {
    rbm.subscribers.showTyping({ agentId: agent.id, number })
    return answer
  }
  const messageId = needText({ row: body, name: 'messageId' })
  const message = rbm.messages.findInbound(messageId)
  if (message?.number !== number || message.agentId !== agent.id)
    throw new RbmError('NOT_FOUND', `The user sent no message ${messageId}`)
  message.isRead = true
  return { ...answer, messageId }
}

function readCapabilities({ rbm, agent, number, query }: GoogleCall) {
  if (!isUuid(query.requestId ?? '')) throw invalid('requestId', 'must be a UUID as defined in RFC 4122')
  const problem = reachProblem(rbm, agent, number)
  if (problem) throw problem
  return { name: `phones/+${number}/capabilities`, features: featuresOf(rbm.devices.find(number)) }
}

function createFile(rbm: Rbm, request: FastifyRequest) {
  authenticate(rbm, request, messagingScope)
  const row = bodyOf(request)
  const rule = { httpsOnly: rbm.settings.httpsOnly }
  const url = needUrl({ row, name: 'fileUrl' }, rule)
  const thumbnailUrl = row.thumbnailUrl === undefined ? undefined : needUrl({ row, name: 'thumbnailUrl' }, rule)
  return presentFile(rbm.directory.saveFile({ mimeType: '', bytes: undefined, url, thumbnailUrl }))
}

function uploadFile(rbm: Rbm, request: FastifyRequest) {
  authenticate(rbm, request, messagingScope)
  const { bytes, row, size } = postedOf(request)
  if (size === 0) throw new RbmError('INVALID_ARGUMENT', 'The file is empty')
  const mimeType = request.headers['content-type'] ?? 'application/octet-stream'
  const content = bytes ?? Buffer.from(JSON.stringify(row ?? ''))
  return presentFile(rbm.directory.saveFile({ mimeType, bytes: content, url: undefined, thumbnailUrl: undefined }))
}

function presentFile({ id }: StoredFile) {
  return { name: `files/${id}` }
}

const images: Record<string, string> = {
  logo: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 224 224"><rect width="224" height="224" fill="#0b5a6e"/><path d="M62 164l50-108 50 108M82 128h60" fill="none" stroke="#fff" stroke-width="20" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  hero: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1440 720"><rect width="1440" height="720" fill="#d7e9ea"/><circle cx="1080" cy="250" r="120" fill="#f4c95d"/><path d="M0 720V470l330-190 290 210 260-150 560 250v130z" fill="#0b5a6e"/><path d="M0 720V600l420-120 420 160 600-140v220z" fill="#16788f"/></svg>`,
}

/** Files of conversations, and the images of the demo's agents. */
function mountFiles(app: FastifyInstance, rbm: Rbm) {
  app.get<{ Params: { id: string } }>('/rbm/files/:id', async ({ params }, reply) => {
    const file = rbm.directory.findFile(`files/${params.id}`)
    if (!file?.bytes) throw new RbmError('NOT_FOUND', 'There is no such file')
    // Files are displayed, never executed.
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .type(file.mimeType)
      .send(file.bytes)
  })
  for (const [name, image] of Object.entries(images))
    app.get(`/rbm/images/${name}.svg`, async (_request, reply) => reply.type('image/svg+xml').send(image))
}
