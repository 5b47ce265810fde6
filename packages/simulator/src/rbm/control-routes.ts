import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RbmControl } from './control.ts'
import type { Device } from './devices.ts'
import type { Row } from './objects.ts'
import { RbmError } from './rbm-error.ts'
import { isRow, needNumber, needText, readText } from './reading.ts'

/** A 5 MB image in base64, plus the surrounding JSON. */
const mostPicture = 8 * 1024 * 1024

type ControlAction = (row: Row, params: Record<string, string>) => unknown

/** Control API of the simulated RCS platforms. It has no authentication: bind it to loopback. */
export async function rbmControlApi(app: FastifyInstance, { control }: { control: RbmControl }) {
  app.setErrorHandler((error, _request, reply) => refuse(reply, error))
  for (const [route, action] of Object.entries({ ...platformRoutes(control), ...personRoutes(control) })) {
    const [method = 'GET', url = ''] = route.split(' ')
    app.route<{ Params: Record<string, string> }>({
      method,
      url: `/api/rbm${url}`,
      bodyLimit: mostPicture,
      handler: async ({ params, body, query }) => {
        const given = method === 'GET' ? query : body
        return (await action(isRow(given) ? given : {}, params)) ?? { done: true }
      },
    })
  }
}

function platformRoutes(control: RbmControl): Record<string, ControlAction> {
  return {
    'GET ': () => control.overview(),
    'GET /settings': () => control.settings(),
    'POST /settings': (row) => control.set(row),
    'POST /reset': () => control.restart(),
    'GET /service-account': () => control.serviceAccount(),
    'POST /service-account/replace': () => control.replaceKey(),
    'POST /tokens': () => control.issueToken(),
    'POST /tokens/revoke': () => control.revokeTokens(),
    'POST /webhook': (row) => control.setWebhook(row),
    'GET /messages': (row) =>
      control.listMessages({
        since: Number(row.since ?? 0),
        limit: Number(row.limit ?? 1000),
        number: readText({ row, name: 'number' }),
        agentId: readText({ row, name: 'agentId' }),
      }),
    'GET /templates': () => control.listTemplates(),
    'POST /templates/:name': (row, { name = '' }) => control.changeTemplate(name, row),
    'POST /agents/:id': (row, { id = '' }) => control.changeAgent(id, row),
    'POST /agents/:id/launch': (row, { id = '' }) => control.changeLaunch(id, row),
  }
}

function personRoutes({ people }: RbmControl): Record<string, ControlAction> {
  const person = (row: Row, { number = '' }: Record<string, string>) => ({
    number,
    agentId: needText({ row, name: 'agentId' }),
  })
  return {
    'GET /people/:number': (_row, { number = '' }) => people.show(number),
    'POST /people/:number': (row, { number = '' }) => people.change(number, readDevice(row)),
    'POST /people/:number/messages': (row, params) =>
      people.write(person(row, params), needText({ row, name: 'text' }, 3072)),
    'POST /people/:number/place': (row, params) =>
      people.writePlace(person(row, params), {
        latitude: needNumber({ row, name: 'latitude' }),
        longitude: needNumber({ row, name: 'longitude' }),
      }),
    'POST /people/:number/file': (row, params) =>
      people.writeFile(person(row, params), {
        bytes: Buffer.from(needText({ row, name: 'bytes' }), 'base64'),
        mimeType: needText({ row, name: 'mimeType' }),
        fileName: readText({ row, name: 'fileName' }) ?? 'file',
      }),
    'POST /people/:number/tap': (row, params) =>
      people.tap(person(row, params), {
        messageId: needText({ row, name: 'messageId' }),
        suggestion: Number(row.suggestion ?? 0),
      }),
    'POST /people/:number/type': (row, params) => people.type(person(row, params)),
    'POST /people/:number/open': (row, params) => ({ read: people.open(person(row, params)) }),
    'POST /people/:number/subscription': (row, params) =>
      row.isSubscribed === true ? people.subscribe(person(row, params)) : people.unsubscribe(person(row, params)),
    'POST /people/:number/invite': (row, params) => people.answerInvite(person(row, params), row.isAccepted === true),
  }
}

const deviceFields = ['isRcs', 'isOnline', 'hasRichCards', 'readReceipts'] as const

function readDevice(row: Row): Partial<Device> {
  const unknown = Object.keys(row).find((name) => !deviceFields.some((field) => field === name))
  if (unknown !== undefined) throw new RangeError(`A phone has no ${unknown}`)
  const changes: Partial<Device> = {}
  for (const name of deviceFields) if (row[name] !== undefined) changes[name] = row[name] === true
  return changes
}

function refuse(reply: FastifyReply, error: unknown) {
  if (error instanceof RbmError || error instanceof RangeError) return reply.code(400).send({ error: error.message })
  return reply.code(500).send({ error: String(error) })
}
