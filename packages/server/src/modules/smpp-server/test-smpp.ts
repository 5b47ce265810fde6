import { connectClient, type Client, type Pdu } from '@carillon/simulator/testing'
import { expect } from 'vitest'
import type { Account } from '../../testing/builders.ts'
import { buildKey, type TestKey } from '../../testing/api-keys.ts'
import type { CallOptions, TestServer } from '../../testing/server.ts'

/** Credentials of a new key of an account, for this machine. */
export type TestCredential = { id: string; systemId: string; password: string; key: TestKey }

type Wanted = {
  key?: Parameters<typeof buildKey>[2]
  body?: Partial<CallOptions<'smppCredentials.create'>['body']>
}

export async function createCredential(
  server: TestServer,
  as: Account,
  { key: keyOptions, body }: Wanted = {},
): Promise<TestCredential> {
  const key = await buildKey(server.database, as, keyOptions)
  const created = await server.ask('smppCredentials.create', {
    as,
    body: { apiKeyId: key.id, addresses: ['127.0.0.1'], ...body },
  })
  return { id: created.id, systemId: created.systemId, password: created.password, key }
}

export type BindKind = 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'

/** Clients of a foreign implementation, closed together. */
export function smppClients() {
  const clients: Client[] = []
  const open = async (server: TestServer) => {
    const client = await connectClient(portOf(server))
    clients.push(client)
    return client
  }
  const tryBind = async (
    server: TestServer,
    { systemId, password }: Pick<TestCredential, 'systemId' | 'password'>,
    kind: BindKind = 'bind_transceiver',
  ): Promise<{ client: Client; answer: Pdu }> => {
    const client = await open(server)
    const fields = { system_id: systemId, password, interface_version: 0x34 }
    return { client, answer: await client.request(kind, fields) }
  }
  return {
    open,
    tryBind,
    async bind(server: TestServer, credential: TestCredential, kind?: BindKind): Promise<Client> {
      const { client, answer } = await tryBind(server, credential, kind)
      expect(answer.command_status).toBe(0)
      return client
    },
    closeAll: () => Promise.all(clients.splice(0).map((client) => client.close())),
  }
}

export function portOf({ app }: TestServer): number {
  const port = app.smpp?.port()
  if (port === undefined) throw new Error('The server does not listen for SMPP')
  return port
}

/** The fields of a receipt's text. */
export function readReceipt({ short_message: { message } }: Pdu): Record<string, string> {
  const found =
    /^id:(?<id>\S+) sub:(?<sub>\d{3}) dlvrd:(?<dlvrd>\d{3}) submit date:(?<submitted>\d{10}) done date:(?<done>\d{10}) stat:(?<stat>\w+) err:(?<err>\d{3}) text:/.exec(
      String(message),
    )
  return { ...found?.groups }
}
