import { connectWhatsapp, type SimulatedGraph } from '@carillon/server/demo/whatsapp'
import { createClient, type Client } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { until } from '@carillon/server/testing/until'
import type { WhatsappTemplate } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import type { Stack } from './stack.ts'

export type InboxWorld = {
  client: Client
  /** A customer writes over WhatsApp from their phone. */
  write: (from: string, text: string, name?: string) => void
  /** Any message of the Cloud API, such as an image. */
  send: (from: string, message: Record<string, unknown>) => void
  /** A customer writes by SMS to the header. */
  text: (from: string, text: string) => void
  /** What a customer received over WhatsApp. */
  received: (from: string) => string[]
  /** Ends the window of a customer, as if they had written a day ago. */
  closeWindow: (from: string) => Promise<void>
  setWindow: (from: string, minutes: number) => Promise<void>
}

export const header = 'ACMEIN'

/** Connects a WhatsApp number with approved templates, and an SMS account, of the demo's organisation. */
export async function buildInbox(stack: Stack): Promise<InboxWorld> {
  const { url, simulator, database } = stack
  const client = await createClient(url, { username: 'manager', password: demoPassword })
  const { graph } = simulator
  // The control functions of the simulator are those that the demo uses.
  await connectWhatsapp(client, { graph: graph as unknown as SimulatedGraph, progress: plainProgress })
  await until(async () => {
    const { data } = await client.call<{ data: WhatsappTemplate[] }>('waTemplates.list')
    return data.some(({ name, status }) => name === 'order_shipped' && status === 'APPROVED')
  }, 'the approval of the templates')
  const { _id } = await client.call<SmsAccount>('smsAccounts.create', {
    body: {
      name: 'Acme SMS',
      provider: 'smpp',
      headers: [header],
      entityId: '1101234567890123456',
      ratePerSecond: 50,
      config: { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator', window: 20 },
    },
  })
  await client.call('smsAccounts.activate', { body: { id: _id, isActive: true } })
  const [line] = (
    await database.systemPool.query<{ external_id: string }>(
      `select external_id from senders where channel = 'whatsapp' and is_active order by created_at limit 1`,
    )
  ).rows
  if (!line) throw new Error('The organisation has no WhatsApp number')
  const { external_id: phoneNumberId } = line
  const { people } = graph.control
  const setWindow = async (from: string, minutes: number) => {
    for (const [table, column] of [
      ['conversations', 'window_expires_at'],
      ['service_windows', 'expires_at'],
    ])
      await database.ownerPool.query(
        `update ${table} set ${column} = now() + $2 * interval '1 minute' where identity = $1`,
        [from, minutes],
      )
  }
  return {
    client,
    write(from, text, name) {
      if (name) people.describe(from, { name })
      people.write({ from, phoneNumberId, message: { type: 'text', text: { body: text } } })
    },
    send: (from, message) => void people.write({ from, phoneNumberId, message }),
    text: (number, text) => simulator.reply({ number, to: header, text }),
    received: (from) =>
      (simulator.handset.find(from)?.messages ?? [])
        .filter(({ channel, direction }) => channel === 'whatsapp' && direction === 'received')
        .map(({ text }) => text),
    setWindow,
    closeWindow: (from) => setWindow(from, -1),
  }
}

const plainProgress = {
  step: async <Result>(_name: string, run: () => Promise<Result> | Result) => run(),
  throwIfStopped: () => undefined,
}
