import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '@carillon/contract/errors'

/** Less than this is read to its end, and the connection stays open. */
const smallBytes = 64 * 1024
/** How long a client may go on sending before the connection is closed under it. */
const drainMs = 5000

/** True while a body that was announced as large, or of unknown length, is still arriving. */
export function isStillReceiving({ raw }: FastifyRequest): boolean {
  if (raw.complete || raw.destroyed) return false
  const isLarge = Number(raw.headers['content-length'] ?? 0) > smallBytes || 'transfer-encoding' in raw.headers
  // What was read in part is not discarded by Node, and would hold up the next request of the connection.
  if (!isLarge) raw.resume()
  return isLarge
}

/**
 * Refuses a request whose body is still arriving. The answer leaves at once; the rest is read and discarded for a while
 * before the connection is closed, because closing it with unread bytes resets it, and the client loses the answer.
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
