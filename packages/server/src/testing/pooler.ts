import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

export type PoolerOptions = {
  mode: 'session' | 'transaction'
  /** How the startup parameter `options` is handled. */
  onOptions?: 'ignore' | 'reject'
}

export type Pooler = {
  /** URL of the database through the pooler. */
  url: string
  close(): Promise<void>
}

type Servers = { take(): Promise<Socket>; giveBack(server: Socket): void; close(): void }

/**
 * A pooler like PgBouncer: accepts every client, ignores startup parameters, and forwards messages over its own connections.
 * In session mode a client keeps a connection until it leaves; in transaction mode only during a transaction.
 */
export async function startPooler(url: string, options: PoolerOptions): Promise<Pooler> {
  const servers = openServers(url)
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => client.destroy())
    serve(client, servers, options)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const pooled = new URL(url)
  pooled.hostname = '127.0.0.1'
  // A server that listens on a port has an address, not a pipe path.
  pooled.port = String((listener.address() as AddressInfo).port)
  return {
    url: pooled.href,
    async close() {
      for (const client of clients) client.destroy()
      servers.close()
      await new Promise((done) => listener.close(done))
    },
  }
}

function openServers(url: string): Servers {
  const all = new Set<Socket>()
  const idle: Socket[] = []
  return {
    async take() {
      const free = idle.pop()
      if (free) return free
      const login = new pg.Client({ connectionString: url })
      login.on('error', () => undefined)
      await login.connect()
      // pg's types omit its connection.
      const { stream } = (login as unknown as { connection: { stream: Socket } }).connection
      stream.removeAllListeners('data')
      all.add(stream)
      return stream
    },
    giveBack: (server) => idle.push(server),
    close: () => all.forEach((server) => server.destroy()),
  }
}

function serve(client: Socket, servers: Servers, { mode, onOptions = 'ignore' }: PoolerOptions) {
  let server: Promise<Socket> | undefined

  const giveBack = async () => {
    const taken = await server
    server = undefined
    taken?.removeAllListeners('data')
    if (taken && mode === 'transaction') servers.giveBack(taken)
    else taken?.destroy()
  }
  const onAnswer = splitMessages(true, (message) => {
    client.write(message)
    const endsTransaction = message.toString('latin1', 0, 1) === 'Z' && message.toString('latin1', 5, 6) === 'I'
    return endsTransaction && mode === 'transaction' ? giveBack() : undefined
  })
  const take = async () => {
    const taken = await servers.take()
    taken.on('data', onAnswer)
    return taken
  }
  let passing: Promise<unknown> = Promise.resolve()
  const onMessage = splitMessages(false, (message, isStartup) => {
    if (isStartup) return client.write(answerStartup(message, onOptions))
    if (message.toString('latin1', 0, 1) === 'X') return client.end()
    passing = passing.then(async () => (await (server ??= take())).write(message))
    return passing
  })
  client.on('data', onMessage)
  client.on('close', () => {
    passing = passing.then(giveBack)
  })
}

function answerStartup(message: Buffer, onOptions: 'ignore' | 'reject'): Buffer {
  if (onOptions === 'reject' && message.includes('\0options\0'))
    return frame('E', 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
  return Buffer.concat([frame('R', '\0\0\0\0'), frame('Z', 'I')])
}

function frame(type: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}

/** Calls back with each complete message. The first one of a client has no type. */
function splitMessages(isTyped: boolean, onMessage: (message: Buffer, isStartup: boolean) => unknown) {
  let rest = Buffer.alloc(0)
  let hasType = isTyped
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const offset = hasType ? 1 : 0
      if (rest.length < offset + 4) return
      const end = offset + rest.readUInt32BE(offset)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      onMessage(message, !hasType)
      hasType = true
    }
  }
}
