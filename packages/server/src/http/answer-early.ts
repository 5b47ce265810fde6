import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '@carillon/contract/errors'

/** Bodies below this size are read to the end, and the connection stays open. */
const smallBytes = 64 * 1024
/** How long a client may continue to send before the connection is closed. */
const drainMs = 5000

/** True while a large body, or one of unknown length, is still arriving. */
export function isStillReceiving({ raw }: FastifyRequest): boolean {
  if (raw.complete || raw.destroyed) return false
  const isLarge = Number(raw.headers['content-length'] ?? 0) > smallBytes || 'transfer-encoding' in raw.headers
  // Node does not discard a partly read body, which would block the next request of the connection.
  if (!isLarge) raw.resume()
  return isLarge
}

/**
 * Rejects a request whose body is still arriving. The response is sent immediately; the rest is discarded for a while before
 * the connection is closed, because closing with unread bytes resets it, and the client loses the response.
 */
export function answerEarly(
  { raw: request }: FastifyRequest,
  reply: FastifyReply,
  { status, body }: { status: number; body: Refusal },
): void {
  const text = JSON.stringify(body)
  reply.hijack()
  const response = reply.raw
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) response.setHeader(name, value)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.write(text)

  const close = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(close, drainMs)
  for (const event of ['end', 'close', 'error']) request.once(event, close)
  request.unpipe()
  request.resume()
}
