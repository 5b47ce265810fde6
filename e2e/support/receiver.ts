import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** A customer's server that gets webhooks. */
export type Receiver = {
  port: number
  url(path: string): string
  received: Received[]
  close(): Promise<void>
}

/** What it answers; other paths get 200. */
const answers: Record<string, { status: number; body: string }> = {
  '/broken': { status: 500, body: '{"error":"The order service is not available"}' },
  '/gone': { status: 410, body: '' },
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const { url: path = '', headers } = request
      received.push({ path, headers, body })
      const answer = answers[path] ?? { status: 200, body: '{"received":true}' }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a TCP port has an AddressInfo.
  const { port: own } = server.address() as AddressInfo
  return {
    port: own,
    url: (path) => `http://127.0.0.1:${own}${path}`,
    received,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
