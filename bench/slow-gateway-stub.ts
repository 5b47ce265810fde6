/**
 * An HTTP gateway in a process of its own, in plain `node:http`: takes every message, and answers one in fifty after ten
 * seconds. GET /counts says how many numbers it delivered to, and how many messages beyond one for each.
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
    // The only client writes this body.
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
