import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type TcpProxy = {
  url: string
  /** Resets every connection and rejects new ones. */
  cut(): Promise<void>
  /** Keeps every connection but forwards nothing, like a network that drops packets. */
  freeze(): void
  restore(): Promise<void>
  close(): Promise<void>
}

/** A proxy to the database of `url` that can be interrupted. */
export async function tcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      if (isFrozen) from.pause()
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })

  async function listen(port: number) {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on a port has an address, not a pipe path.
    return (server.address() as AddressInfo).port
  }

  async function cut() {
    const closed = server.listening ? new Promise((done) => server.close(done)) : undefined
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }

  const port = await listen(0)
  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  proxied.port = String(port)
  return {
    url: proxied.href,
    cut,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    async restore() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
      if (!server.listening) await listen(port)
    },
    close: cut,
  }
}
