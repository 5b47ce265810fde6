import type { Socket } from 'node:net'
import type { Refusal } from '@carillon/contract/errors'

/** How long the rest of an unreadable request is discarded before the connection is closed. */
const drainMs = 2000

type Answer = { status: string; body: Refusal }

const answers: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    body: { success: false, message: 'The address or the headers of the request are too long', code: 'too_large' },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    body: { success: false, message: 'The request took too long to arrive', code: 'bad_request' },
  },
}
const unreadable: Answer = {
  status: '400 Bad Request',
  body: { success: false, message: 'The request is not valid HTTP', code: 'bad_request' },
}

/** Sends the standard error response for a request that the HTTP parser rejects. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, body } = answers[error.code ?? ''] ?? unreadable
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    'connection: close',
  ]
  // Closing with unread bytes would reset the connection, and the client would lose the response.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  setTimeout(() => socket.destroy(), drainMs).unref()
}
