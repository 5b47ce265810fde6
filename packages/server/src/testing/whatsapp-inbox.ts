import type { Conversation, ThreadItem, ThreadItemOf } from '@carillon/contract/conversation-records'
import { newId } from '../lib/ids.ts'
import { buildDepartmentHead, buildUser, type Account } from './builders.ts'
import type { CallAnswer } from './server.ts'
import { until } from './until.ts'
import { buildWhatsappServer, connectWhatsapp, type WhatsappServer } from './whatsapp-server.ts'

/** Phones that write to a WhatsApp number, and the members who answer. */
export type WhatsappInbox = WhatsappServer & {
  lineId: string
  senderId: string
  wabaId: string
  colleague: Account
  head: Account
  /** An unused number. */
  newPerson(): string
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** A person writes; returns their conversation once the message is stored. */
  write(from: string, text: string, options?: { identity?: string }): Promise<string>
  reply(id: string, text: string, options?: ReplyOptions): Promise<CallAnswer<'conversations.reply'>>
  find(id: string, as?: Account): Promise<Conversation>
  items(id: string, as?: Account): Promise<ThreadItem[]>
  /** The delivery of a message that was sent. */
  delivery(id: string, itemId: string): Promise<ThreadItemOf<'outbound'>['delivery']>
  /** The kinds of the events in a thread, oldest first. */
  events(id: string): Promise<string[]>
}

export type ReplyOptions = { as?: Account; clientId?: string; inReplyTo?: string }

export async function buildWhatsappInbox(): Promise<WhatsappInbox> {
  const fixtures = await buildWhatsappServer()
  const { server, manager, user, simulator } = fixtures
  const { lineId, senderId, waba_id } = await connectWhatsapp(fixtures)
  const colleague = await buildUser(server.database, { parent: manager })
  const head = await buildDepartmentHead(server.database, { parent: manager })
  let people = 919_812_360_000

  const query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await server.database.systemPool.query<Row>(text, values)).rows
  const items = async (id: string, as = manager) =>
    (await server.ask('conversations.thread', { as, path: { id } })).items

  return {
    ...fixtures,
    lineId,
    senderId,
    wabaId: waba_id,
    colleague,
    head,
    query,
    items,
    newPerson: () => String((people += 1)),
    async write(from, text, { identity = from } = {}) {
      const { id: wamid } = simulator.graph.control.write(from, {
        phoneNumberId: lineId,
        type: 'text',
        text: { body: text },
      })
      let found: { id: string }[] = []
      await until(async () => {
        found = await query<{ id: string }>(
          `select conversation_id as id from inbound_messages where dedupe_key = $1 and coalesce(identity, phone::text) = $2`,
          [wamid, identity],
        )
        return found.length > 0
      }, 'the message')
      return found[0]?.id ?? ''
    },
    reply: (id, text, { as = user, clientId = newId(), inReplyTo } = {}) =>
      server.call('conversations.reply', {
        as,
        path: { id },
        body: { clientId, content: { type: 'text', text }, ...(inReplyTo === undefined ? {} : { inReplyTo }) },
      }),
    find: async (id, as = manager) => (await server.ask('conversations.get', { as, path: { id } })).conversation,
    async delivery(id, itemId) {
      const item = (await items(id)).find((each) => each.id === itemId)
      if (item?.kind !== 'outbound') throw new Error('No message was sent')
      return item.delivery
    },
    events: async (id) => (await items(id)).flatMap((item) => (item.kind === 'event' ? [item.event] : [])),
  }
}
