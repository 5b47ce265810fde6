import { asSystem } from '@carillon/server/db/pool'
import { checkInvariants } from '@carillon/server/modules/balance/index'
import { verify, type Receiver } from '@carillon/server/testing/webhook-receiver'
import { pause, prepare } from './campaign.ts'
import { lastArrival } from './judge.ts'
import { callSimulator } from './simulator.ts'
import type { World } from './world.ts'
import { findWrongFigures } from './prove.ts'

export type ApiStorm = {
  /** At least so many calls are made, each with a key of its own and one message or ten. They go on until the last fault. */
  calls: number
  callsPerSecond: number
  /** Faults applied one after the other while calls are made. */
  blows: readonly ((world: World) => Promise<void>)[]
}

export type ApiVerdict = {
  /** Messages of all calls. */
  messages: number
  /** Messages whose call was answered with their ids. */
  acknowledged: number
  /** Calls whose key had an effect more than once. */
  repeated: number
  /** Messages that phones received more than once. */
  duplicated: number
  /** Messages that were acknowledged and have no result, or are said to be sent and reached no phone. */
  lost: number
  /** Webhooks that are missing for a status, or have several ids. */
  missedEvents: number
  /** Messages whose response was lost with a killed process, which SMPP does not allow to repeat. */
  unconfirmed: number
  complaints: string[]
}

const types = ['message.sent', 'message.delivered', 'message.failed'] as const
const batchSize = 10

/**
 * A customer's program sends with an API key, and repeats each call with its key until it is answered, as SDKs do. Processes are killed
 * meanwhile. In the end each acknowledged message has arrived once, no key had its effect twice, and the endpoint got every event.
 */
export async function weatherApi(world: World, storm: ApiStorm): Promise<ApiVerdict> {
  const receiver = world.receiver
  receiver.reset()
  const since = await lastArrival(world)
  const { smsAccountId, templateId } = await prepare(world, 'smpp', 300)
  const { secret: key } = await world.api.call<{ secret: string }>('apiKeys.create', {
    body: { name: `Chaos ${Date.now()}`, environment: 'live', scopes: ['messages:send'] },
  })
  const endpoint = await world.api.call<{ id: string; secret: string }>('webhookEndpoints.create', {
    body: { url: receiver.url(), types: [...types] },
  })
  let isOver = false
  const sending = sendAll(world, { ...storm, key, smsAccountId, templateId, isOver: () => isOver })
  for (const blow of storm.blows) await blow(world)
  isOver = true
  const { ids: acknowledged, messages } = await sending
  await settleAll(world, { smsAccountId, endpointId: endpoint.id })
  const verdict = await judgeApi(world, { receiver, acknowledged, smsAccountId, since, secret: endpoint.secret })
  const processes = new Set([world.web, world.worker, ...world.senders])
  verdict.complaints.push(...[...processes].flatMap((process) => process.unexpectedEnds()))
  await world.api.call('webhookEndpoints.delete', { path: { id: endpoint.id } })
  return { ...verdict, messages }
}

type Sending = Pick<ApiStorm, 'calls' | 'callsPerSecond'> & {
  key: string
  smsAccountId: string
  templateId: string
  isOver(): boolean
}

/** Returns the id of each message by its reference. */
async function sendAll(world: World, sending: Sending): Promise<{ ids: Map<string, string>; messages: number }> {
  const { isOver, calls, callsPerSecond, key, smsAccountId: from, templateId } = sending
  const ids = new Map<string, string>()
  let sent = 0
  const begin = performance.now()
  const open = new Set<Promise<void>>()
  const messageOf = (reference: string, number: number) => ({
    to: `+9197${String(number).padStart(6, '0')}99`,
    from,
    template: { id: templateId, values: { name: 'Asha', code: reference } },
    reference,
  })
  for (let count = 0; count < calls || !isOver(); count += 1) {
    const early = begin + (count * 1000) / callsPerSecond - performance.now()
    if (early > 1) await pause(early)
    const isBatch = count % 10 === 9
    const references = Array.from({ length: isBatch ? batchSize : 1 }, (_, index) => `c${count}m${index}`)
    sent += references.length
    const messages = references.map((reference, index) => messageOf(reference, count * batchSize + index))
    const one = postUntilAnswered(world, {
      key,
      path: isBatch ? 'messages/batch' : 'messages',
      idempotencyKey: `call ${count}`,
      body: isBatch ? { messages } : messages[0],
    }).then((answer) => {
      const accepted = 'messages' in answer ? answer.messages.map((each) => each.accepted) : [answer]
      for (const [index, message] of accepted.entries()) {
        const reference = references[index]
        if (message && reference) ids.set(reference, message.id)
      }
    })
    open.add(one)
    void one.finally(() => open.delete(one))
    if (open.size >= 64) await Promise.race(open)
  }
  await Promise.all(open)
  return { ids, messages: sent }
}

type Accepted = { id: string }
type Answer = Accepted | { messages: { accepted?: Accepted }[] }

type Post = { key: string; path: string; idempotencyKey: string; body: unknown }

async function postUntilAnswered(world: World, { key, path, idempotencyKey, body }: Post): Promise<Answer> {
  const deadline = Date.now() + 120_000
  for (;;) {
    const answer = await fetch(`${world.web.address()}/api/public/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    // The contract's shape of the answer.
    if (answer?.status === 200) return (JSON.parse(answer.text) as { data: Answer }).data
    const isTemporary = !answer || answer.status >= 500 || answer.status === 429 || answer.status === 409
    if (!isTemporary || Date.now() > deadline) throw new Error(`${path}: ${answer?.status} ${answer?.text}`)
    await pause(100)
  }
}

type Row = { id: string; reference: string; status: string | null }

async function readMessages(world: World, smsAccountId: string): Promise<Row[]> {
  const { rows } = await world.database().systemPool.query<Row>(
    `select single.id, single.reference, message.status::text from single_sends single
    left join messages message on message.organization_id = single.organization_id and message.created_on = single.created_on
      and message.campaign_id = single.id and message.seq = 0 and message.leg = 0
    where single.organization_id = $1 and single.sender_id = $2`,
    [world.organizationId, smsAccountId],
  )
  return rows
}

type Settling = { smsAccountId: string; endpointId: string }

/** Waits until the queue is empty, the reports have arrived, and the deliveries have ended. */
async function settleAll(world: World, { smsAccountId, endpointId }: Settling): Promise<void> {
  const rows = async (text: string, values: unknown[]) => (await world.database().systemPool.query(text, values)).rows
  const isSettled = async () =>
    (await rows('select from priority_messages where sender_id = $1 limit 1', [smsAccountId])).length === 0 &&
    (await readMessages(world, smsAccountId)).every(({ status }) => status !== 'sent') &&
    (await rows('select from event_queue where target = $1 limit 1', [endpointId])).length === 0 &&
    (await rows('select from webhook_queue where endpoint_id = $1 limit 1', [endpointId])).length === 0
  const deadline = Date.now() + 120_000
  while (!(await isSettled()) && Date.now() < deadline) await pause(500)
}

type Judged = {
  receiver: Receiver
  acknowledged: ReadonlyMap<string, string>
  smsAccountId: string
  since: number
  secret: string
}

async function judgeApi(
  world: World,
  { receiver, acknowledged, smsAccountId, since, secret }: Judged,
): Promise<Omit<ApiVerdict, 'messages'>> {
  const rows = await readMessages(world, smsAccountId)
  const byReference = Map.groupBy(rows, ({ reference }) => reference)
  const statusById = new Map(rows.map(({ id, status }) => [id, status]))
  const arrivals = await countCodes(world, since)
  const arrivedAs = (reference: string) => arrivals.get(reference) ?? 0
  const arrivedStatuses = ['sent', 'delivered', 'read']
  const lost = [...acknowledged].filter(([reference, id]) => {
    const status = statusById.get(id)
    return !status || (arrivedStatuses.includes(status) && arrivedAs(reference) === 0)
  })
  for (const request of receiver.received) verify(secret, request)
  const idsOfEvents = new Map<string, Set<string>>()
  for (const { id, type, data } of receiver.received) {
    const event = `${type} ${String(data['id'])}`
    idsOfEvents.set(event, (idsOfEvents.get(event) ?? new Set()).add(id))
  }
  const expected = rows.flatMap(({ id, status }) => {
    if (status === 'delivered') return [`message.sent ${id}`, `message.delivered ${id}`]
    return status === 'failed' ? [`message.failed ${id}`] : []
  })
  const missed = expected.filter((event) => idsOfEvents.get(event)?.size !== 1)
  const verdict = {
    acknowledged: acknowledged.size,
    repeated: [...byReference.values()].filter((same) => same.length > 1).length,
    duplicated: [...arrivals.values()].filter((count) => count > 1).length,
    lost: lost.length,
    missedEvents: missed.length,
    unconfirmed: rows.filter(({ status }) => status === 'unknown' || status === 'unconfirmed').length,
  }
  const complaints = [
    ...complain(verdict),
    ...(await asSystem(world.database(), checkInvariants)),
    ...(await findWrongFigures(world.database())),
  ]
  return { ...verdict, complaints }
}

function complain({ repeated, duplicated, lost, missedEvents }: Omit<ApiVerdict, 'messages' | 'complaints'>): string[] {
  return [
    repeated === 0 ? '' : `${repeated} idempotency keys had their effect more than once`,
    duplicated === 0 ? '' : `${duplicated} messages arrived more than once`,
    lost === 0 ? '' : `${lost} acknowledged messages were lost`,
    missedEvents === 0 ? '' : `${missedEvents} events were not delivered, or under several ids`,
  ].filter(Boolean)
}

/** How often each reference arrived, which is the code in the text. */
async function countCodes(world: World, from: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (let since = from; ;) {
    // The simulator lists the messages that phones received.
    const page = (await callSimulator(world, `/api/received?since=${since}&limit=5000`)) as {
      messages: { text: string }[]
      next: number
    }
    if (page.messages.length === 0) return counts
    for (const { text } of page.messages) {
      const [, code] = /code (c\d+m\d+) is/.exec(text) ?? []
      if (code) counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    since = page.next
  }
}
