/**
 * An HTTP gateway in its own process, in plain `node:http`: accepts every message, and responds to one in fifty after ten
 * seconds. GET /counts returns how many numbers got a message, and how many messages were duplicates.
 */
import { createServer } from 'node:http'

const slowEvery = 50
const slowMs = 10_000

const arrived = new Map<string, number>()
let requests = 0

const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    if (request.url === '/counts') return response.end(JSON.stringify(count()))
    // The body is written by this benchmark only.
    const { to } = JSON.parse(Buffer.concat(pieces).toString()) as { to: string }
    arrived.set(to, (arrived.get(to) ?? 0) + 1)
    requests += 1
    const body = JSON.stringify({ id: `slow-${requests}` })
    const answer = () => response.writeHead(202, { 'content-type': 'application/json' }).end(body)
    if (requests % slowEvery === 0) setTimeout(answer, slowMs)
    else setTimeout(answer, 20)
    return undefined
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(JSON.stringify({ port: address.port }))
})

function count() {
  return { numbers: arrived.size, repeats: [...arrived.values()].reduce((sum, times) => sum + times - 1, 0) }
}
