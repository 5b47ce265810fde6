/** Redirects in a process of their own, in plain `node:http`: the same answer to each request, and nothing is read or stored. */
import { createServer } from 'node:http'

const target = process.argv[2] ?? ''

const server = createServer((_, response) => response.writeHead(302, { location: target }).end())
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) console.log(JSON.stringify({ port: address.port }))
})
