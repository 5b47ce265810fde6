import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'

export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** A server that answers each request as the next of `answers` says, and the last one from then on. */
export async function startStub(...answers: ((response: ServerResponse) => void)[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, url, headers, body: Buffer.concat(pieces).toString() })
      answers[Math.min(received.length, answers.length) - 1]?.(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The stub has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

export const answer =
  (data: unknown) =>
  (response: ServerResponse): void => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, message: 'OK', data }))
  }

export const refuse =
  (status: number, body: object | string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response
      .writeHead(status, headers)
      .end(typeof body === 'string' ? body : JSON.stringify({ success: false, ...body }))
  }

export const hangUp = (response: ServerResponse): void => {
  response.destroy()
}
