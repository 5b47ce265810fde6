import { asSystem } from '@carillon/server/db/pool'
import { newId } from '@carillon/server/lib/ids'
import { checkInvariants } from '@carillon/server/modules/balance/index'
import { demoPartner } from '@carillon/simulator/rbm/demo-agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from './campaign.ts'
import { lastArrival } from './judge.ts'
import { connectBot } from './rcs.ts'
import { callSimulator } from './simulator.ts'
import { killAnytime, killInTurn } from './storm.ts'
import { connectNumber } from './whatsapp.ts'
import { createWorld, type World } from './world.ts'

const people = 40
const messagesEach = 30
const ratePerSecond = 60

let world: World
beforeAll(async () => {
  world = await createWorld({ senderCount: 1, waitsForLeases: false })
}, 120_000)
afterAll(() => world.close(), 60_000)

/** A line on which people write. */
type Line = {
  senderId: string
  numberOf(person: number): string
  /** A person writes; the simulator repeats the callback until it is acknowledged. */
  write(person: number, text: string): Promise<unknown>
}

async function whatsappLine(): Promise<Line> {
  const { _id: senderId, phone_number_id: phoneNumberId } = await connectNumber(world, 300)
  const numberOf = (person: number) => `919${50_000 + person}1200`
  return {
    senderId,
    numberOf,
    write: (person, body) =>
      callSimulator(world, `/api/graph/people/${numberOf(person)}/messages`, {
        phoneNumberId,
        type: 'text',
        text: { body },
      }),
  }
}

async function rcsLine(): Promise<Line> {
  const { _id: senderId } = await connectBot(world, 300)
  const numberOf = (person: number) => `919${70_000 + person}1200`
  return {
    senderId,
    numberOf,
    write: (person, text) =>
      callSimulator(world, `/api/rbm/people/${numberOf(person)}/messages`, { agentId: demoPartner.agentId, text }),
  }
}

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.database().systemPool.query<Row>(text, values)).rows

async function until(isDone: () => Promise<boolean>, what: string, timeoutMs = 90_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`)
    await pause(250)
  }
}

/** The conversations of all people, in their order. */
async function openAll(line: Line): Promise<string[]> {
  for (let person = 0; person < people; person += 1) await line.write(person, textOf(person, 0))
  const numbers = Array.from({ length: people }, (_, person) => line.numberOf(person))
  const find = () =>
    query<{ id: string; identity: string }>(`select id, identity from conversations where sender_id = $1`, [
      line.senderId,
    ])
  await until(async () => (await find()).length === people, 'the conversations')
  const idByNumber = new Map((await find()).map(({ id, identity }) => [identity, id]))
  return numbers.map((number) => idByNumber.get(number) ?? '')
}

const textOf = (person: number, index: number) => `Message ${index} of person ${person}`

/** Everyone writes, at an even rate. */
async function writeAll(line: Line): Promise<void> {
  const begin = performance.now()
  for (let count = 0; count < people * (messagesEach - 1); count += 1) {
    const early = begin + (count * 1000) / ratePerSecond - performance.now()
    if (early > 1) await pause(early)
    await line.write(count % people, textOf(count % people, 1 + Math.floor(count / people)))
  }
}

type Accepted = { clientId: string; chatId: string }

/** A member answers until told to stop. A call without a response is repeated, as browsers do. */
async function replyUntil(isOver: () => boolean, chats: readonly string[]): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  for (let count = 0; !isOver(); count += 1) {
    const chatId = chats[(count * 7) % chats.length] ?? ''
    const clientId = newId()
    await world.api.call('conversations.reply', {
      path: { id: chatId },
      body: { clientId, content: { type: 'text', text: `Reply ${clientId}` } },
    })
    accepted.push({ clientId, chatId })
    await pause(20)
  }
  return accepted
}

/** Two replies for each conversation that are due while the worker is away. */
async function schedule(chats: readonly string[], seconds: number): Promise<string[]> {
  const planned: string[] = []
  for (const chatId of [...chats, ...chats]) {
    const sendAt = new Date(Date.now() + seconds * 1000).toISOString()
    const { id } = await world.api.call<{ id: string }>('conversations.schedule', {
      path: { id: chatId },
      body: { content: { type: 'text', text: `Scheduled ${newId()}` }, sendAt, endsOnAnswer: false },
    })
    planned.push(id)
  }
  return planned
}

async function readTexts(since: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let from = since; ;) {
    // The simulator lists the messages that phones received.
    const page = (await callSimulator(world, `/api/received?since=${from}&limit=5000`)) as {
      messages: { text: string }[]
      next: number
    }
    if (page.messages.length === 0) return counts
    for (const { text } of page.messages) counts.set(text, (counts.get(text) ?? 0) + 1)
    from = page.next
  }
}

type Sent = { id: string; client_id: string; text: string; status: string | null }

const sentFrom = (line: Line) =>
  query<Sent>(
    `select single.id, single.client_id, single.text, message.status::text from single_sends single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0
    where single.sender_id = $1 and single.kind = 'reply'`,
    [line.senderId],
  )

const arrivedStatuses = ['sent', 'delivered', 'read']

/** Without a response for 15 minutes, and without a report, a message is not confirmed. */
async function endWaiting(line: Line): Promise<void> {
  const hasStatus = async (status: string) => (await sentFrom(line)).some((sent) => sent.status === status)
  await until(async () => !(await sentFrom(line)).some(({ status }) => status === null || status === 'sent'), 'reports')
  if (!(await hasStatus('unknown'))) return
  await query(
    `update messages set unknown_at = now() - interval '16 minutes' where status = 'unknown' and sender_id = $1`,
    [line.senderId],
  )
  // The work of every minute.
  await world.worker.kill()
  await world.worker.restart()
  await until(async () => !(await hasStatus('unknown')), 'the end of unknown results', 120_000)
}

/** The thread of a conversation as a member reads it, page by page. */
async function readThread(chatId: string): Promise<string[]> {
  const texts: string[] = []
  let before: string | undefined
  do {
    const page = await world.api.call<{ items: { kind: string; body?: { text: string } }[]; before?: string }>(
      'conversations.thread',
      { path: { id: chatId }, query: { limit: '50', ...(before === undefined ? {} : { before }) } },
    )
    texts.unshift(...page.items.flatMap(({ kind, body }) => (kind === 'inbound' && body ? [body.text] : [])))
    ;({ before } = page)
  } while (before !== undefined)
  return texts
}

test.each([
  // Google recognises a repeat, so what a killed sender had claimed is sent again.
  ['rcs', rcsLine, { sendsOnce: true }],
  // Meta does not: what a killed sender had claimed is not sent again, and is not confirmed.
  ['whatsapp', whatsappLine, { sendsOnce: false }],
] as const)(
  'sender, worker and web killed amid messages and replies over %s: each message stands once, each reply is sent at most once and ends',
  async (_, connect, { sendsOnce }) => {
    const line = await connect()
    const since = await lastArrival(world)
    const chats = await openAll(line)
    const planned = await schedule(chats, 8)
    let isOver = false
    const [accepted] = await Promise.all([
      replyUntil(() => isOver, chats),
      writeAll(line),
      (async () => {
        await killAnytime('sender', 500)(world)
        await world.freeLanes()
        await killInTurn(['priority-after-claim', 'priority-after-wire', 'after-record'], 3)(world)
        await world.worker.kill()
        await until(
          async () =>
            (await query(`select from scheduled_replies where id = any($1) and send_at > now()`, [planned])).length ===
            0,
          'the time of the scheduled replies',
        )
        await world.worker.restart()
        await killAnytime('worker', 50)(world)
        await killAnytime('worker', 150)(world)
        await killAnytime('web', 200)(world)
        await Promise.all([killAnytime('sender', 300)(world), killAnytime('worker', 300)(world)])
        await world.freeLanes()
        await pause(2000)
        isOver = true
      })(),
    ])

    const expected = Array.from({ length: people }, (__, person) =>
      Array.from({ length: messagesEach }, (___, index) => textOf(person, index)).toSorted(),
    )
    const stored = async () =>
      query<{ id: string; texts: string[] }>(
        `select conversation_id as id, array_agg(text order by text) as texts from inbound_messages where sender_id = $1 group by 1`,
        [line.senderId],
      )
    await until(
      async () => (await stored()).reduce((sum, { texts }) => sum + texts.length, 0) >= people * messagesEach,
      'all messages',
    )
    const textsByChat = new Map((await stored()).map(({ id, texts }) => [id, texts.toSorted()]))
    expect(chats.map((id) => textsByChat.get(id))).toEqual(expected)
    expect(textsByChat.size).toBe(people)
    for (const person of [0, people - 1])
      expect((await readThread(chats[person] ?? '')).toSorted()).toEqual(expected[person])

    await until(
      async () =>
        (await query(`select from scheduled_replies where id = any($1) and ended_at is null`, [planned])).length === 0,
      'the scheduled replies',
      150_000,
    )
    await until(
      async () => (await query('select from priority_messages where sender_id = $1', [line.senderId])).length === 0,
      'an empty queue',
    )
    await endWaiting(line)

    const sent = await sentFrom(line)
    const clientIds = [...accepted.map(({ clientId }) => clientId), ...planned.map((id) => `scheduled:${id}`)]
    expect(accepted.length).toBeGreaterThan(100)
    expect(sent.map(({ client_id }) => client_id).toSorted()).toEqual(clientIds.toSorted())
    const ended = await query<{ result: string; message_id: string }>(
      'select result, message_id from scheduled_replies where id = any($1)',
      [planned],
    )
    expect(new Set(ended.map(({ result }) => result))).toEqual(new Set(['sent']))
    expect(new Set(ended.map(({ message_id }) => message_id)).size).toBe(planned.length)

    const arrivals = await readTexts(since)
    const times = ({ text }: Sent) => arrivals.get(text) ?? 0
    expect(sent.filter((each) => times(each) > 1)).toEqual([])
    expect(sent.filter((each) => (times(each) === 1) !== arrivedStatuses.includes(each.status ?? ''))).toEqual([])
    const lost = sent.filter((each) => times(each) === 0)
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(lost.length > 0 ? ['unconfirmed'] : []))
    if (sendsOnce) expect(lost).toEqual([])
    // A sender claims as many as wait, which is few.
    else expect(lost.length).toBeLessThan(sent.length / 10)
    expect(await asSystem(world.database(), checkInvariants)).toEqual([])
    const processes = [world.web, world.worker, ...world.senders]
    expect(processes.flatMap((each) => each.unexpectedEnds())).toEqual([])
  },
  480_000,
)
