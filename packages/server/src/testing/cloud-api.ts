import { startSimulator, type Simulator } from '@carillon/simulator/index'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress, type Egress } from '../egress/egress.ts'
import { systemClock } from '../lib/clock.ts'
import { Refusal } from '../channels/management.ts'
import type { WhatsappManagement } from '../channels/whatsapp/management.ts'
import type { WhatsappMessage } from '../channels/whatsapp/message.ts'
import type { Session } from '../channels/provider.ts'
import { CloudApiConfig } from '../channels/whatsapp/cloud-api/config.ts'
import { openManagement } from '../channels/whatsapp/cloud-api/management.ts'
import { openSession } from '../channels/whatsapp/cloud-api/session.ts'

export const wabaId = '260000000000001'
export const lineId = '270000000000001'
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const picture = { name: 'a "picture".png', mimeType: 'image/png', bytes: png }

type Closers = (() => Promise<unknown>)[]

export type SimulatedMeta = Awaited<ReturnType<typeof simulateMeta>>

/** A simulated Meta with credentials of its account. */
export async function simulateMeta() {
  const closers: Closers = []
  const simulator: Simulator = await startSimulator({ graph: { gapMs: [0, 1], reviewMs: 1 } })
  const egress = openEgress(closers, simulator.httpPort)
  closers.push(() => simulator.close())
  const { appId, appSecret, token: accessToken, baseUrl: graphUrl } = simulator.graph
  const verifyToken = 'simulator-verify-token'
  const settings = (more: Partial<CloudApiConfig> = {}) =>
    CloudApiConfig.parse({ wabaId, appId, appSecret, accessToken, graphUrl, verifyToken, ...more })

  return {
    simulator,
    egress,
    closers,
    settings,
    open: (more?: Partial<CloudApiConfig>): WhatsappManagement =>
      openManagement(settings(more), { egress, clock: systemClock }),
    connect(): Session<WhatsappMessage> {
      const session = openSession(settings(), {
        egress,
        clock: systemClock,
        lineId,
        callbackUrl: '',
        onState: () => undefined,
        readInstallationSettings: async () => undefined,
        onEvents: () => Promise.resolve(),
      })
      closers.push(() => session.close(100))
      return session
    },
    /** A server in Meta's place, for responses the simulator never gives. */
    async answering(answer: Answerer): Promise<WhatsappManagement> {
      const port = await listen(closers, answer)
      const own = openEgress(closers, port)
      return openManagement(settings({ graphUrl: `http://127.0.0.1:${port}` }), { egress: own, clock: systemClock })
    },
    async close() {
      for (const close of closers.splice(0).toReversed()) await close()
    },
  }
}

export type Answerer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

/** A server on a free port; closed together with the others. */
export async function listen(closers: Closers, answer: Answerer): Promise<number> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => answer(request, response, Buffer.concat(pieces)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  // A server that listens on a port has an address, not a pipe path.
  return (server.address() as AddressInfo).port
}

function openEgress(closers: Closers, port: number): Egress {
  const egress = createEgress({ allowedPrivate: [`127.0.0.1:${port}`], allowedPorts: [], connections: 8 })
  closers.push(() => egress.close())
  return egress
}

export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Refusal) return error
  throw new Error(`It was not refused: ${String(error)}`)
}
