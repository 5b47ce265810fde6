/**
 * Receivers of webhooks in a process of their own, in plain `node:http`: as many as the first argument says, of which as many as the second
 * says never answer. POST /reset and GET /counts on the last port.
 */
import { createServer, type RequestListener } from 'node:http'

const [receivers = 100, silent = 5] = process.argv.slice(2).map(Number)

let ids = new Set<string>()
let requests = 0
let unsigned = 0
/** Milliseconds from the event to its arrival. */
let latencies: number[] = []

const marker = '"timestamp":"'

const receive: RequestListener = (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString()
    const start = body.indexOf(marker) + marker.length
    latencies.push(Date.now() - Date.parse(body.slice(start, start + 24)))
    ids.add(String(request.headers['webhook-id']))
    if (!String(request.headers['webhook-signature']).startsWith('v1,')) unsigned += 1
    requests += 1
    response.writeHead(204).end()
  })
}

const silence: RequestListener = (request) => void request.resume()

const control: RequestListener = (request, response) => {
  if (request.url === '/reset') {
    ids = new Set()
    latencies = []
    requests = 0
    unsigned = 0
  }
  const sorted = latencies.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  response.end(JSON.stringify({ requests, deliveries: ids.size, unsigned, p50: at(0.5), p99: at(0.99) }))
}

const ports: number[] = []
for (let index = 0; index <= receivers; index += 1) {
  const server = createServer(index === receivers ? control : index < silent ? silence : receive)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'object' && address) ports.push(address.port)
}
console.log(JSON.stringify({ ports }))
