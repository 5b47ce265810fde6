/** The limit of `inbox-fanout`: Socket.IO alone. A posted text is emitted to the sockets of its rooms. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'

const http = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { rooms, payload } = JSON.parse(Buffer.concat(chunks).toString()) as { rooms: string[]; payload: object }
    io.to(rooms).emit('message', payload)
    response.end('OK')
  })
})
const io = new Server(http, { transports: ['websocket'], serveClient: false, connectTimeout: 20_000 })
io.on('connection', (socket) => void socket.join(String(socket.handshake.query['rooms']).split(',')))
http.listen(0, '127.0.0.1', () =>
  console.log(`Bare sockets are at http://127.0.0.1:${(http.address() as AddressInfo).port}`),
)
process.once('SIGTERM', () => process.exit())
