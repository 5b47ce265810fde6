import { createHmac } from 'node:crypto'
import { Agent } from 'undici'
import { inBackground } from '../background.ts'
import type { Simulation } from '../simulation.ts'
import type { Meta } from './meta.ts'
import type { App } from './objects.ts'
import type { GraphSettings } from './settings.ts'

/** One change of one field, for every subscribed app. */
export type Update = {
  wabaId: string
  phoneNumberId?: string
  field: string
  /** JSON text. With a head the value is `head [part, …] }`; adjacent updates with the same head can share a change. */
  part: string
  head?: string
  isForged?: boolean
}

export type Outbox = {
  post: (update: Update) => void
  counts: () => {
    waiting: number
    inFlight: number
    posted: number
    taken: number
    failedPosts: number
    givenUp: number
  }
  reset: () => void
  close: () => Promise<void>
}

type OutboxOptions = { simulation: Simulation; meta: Meta; settings: GraphSettings }
type Line = { app: App; url: string; isForged: boolean; fresh: Update[]; isGathering: boolean; failures: number }
type Batch = { line: Line; updates: Update[]; tries: number }

const nothing = { waiting: 0, posted: 0, taken: 0, failedPosts: 0, givenUp: 0 }
const answerWithinMs = 15_000

/**
 * Posts updates as Meta does: signed over the raw bytes, batched under load, and retried with growing pauses until
 * the response is 200. A failed batch does not delay the others, so updates can then arrive out of order.
 */
export function createOutbox({ simulation, meta, settings }: OutboxOptions): Outbox {
  const agent = new Agent({ connections: 32, pipelining: 1 })
  const lines = new Map<string, Line>()
  let ready: Batch[] = []
  const counts = { ...nothing, inFlight: 0 }
  let isClosed = false
  let epoch = 0

  function lineOf({ app, url }: Target, isForged: boolean): Line {
    const key = `${app.id} ${isForged} ${url}`
    const line = lines.get(key) ?? { app, url, isForged, fresh: [], isGathering: false, failures: 0 }
    lines.set(key, line)
    return line
  }

  function gather(line: Line) {
    if (line.isGathering) return
    line.isGathering = true
    // While the webhook is unreachable, updates accumulate into fewer, larger posts.
    const pause = line.failures === 0 ? 0 : Math.min(5000, retryDelay(settings, line.failures))
    simulation.scheduler.after(Math.max(settings.webhookGatherMs, pause), () => {
      line.isGathering = false
      ready.push(...cutToPosts(line, settings.webhookBatch))
      line.fresh = []
      fill()
    })
  }

  function fill() {
    while (!isClosed && counts.inFlight < settings.webhookInFlight) {
      const batch = ready.shift()
      if (!batch) return
      inBackground(send(batch))
    }
  }

  async function send(batch: Batch) {
    counts.inFlight += 1
    counts.posted += 1
    const startedIn = epoch
    const isAccepted = await postOnce(agent, batch, settings.statusesPerChange)
    counts.inFlight -= 1
    // Discards responses that arrive after a reset.
    if (startedIn !== epoch) return
    if (isAccepted) {
      batch.line.failures = 0
      counts.taken += batch.updates.length
      counts.waiting -= batch.updates.length
    } else tryAgain(batch)
    fill()
  }

  function tryAgain(batch: Batch) {
    counts.failedPosts += 1
    batch.line.failures += 1
    if (counts.waiting > settings.webhookMostWaiting) {
      counts.waiting -= batch.updates.length
      counts.givenUp += batch.updates.length
      return
    }
    simulation.scheduler.after(retryDelay(settings, batch.tries), () => {
      ready.push({ ...batch, tries: batch.tries + 1 })
      fill()
    })
  }

  return {
    post(update) {
      for (const target of targetsOf(meta, update)) {
        const line = lineOf(target, update.isForged === true)
        line.fresh.push(update)
        counts.waiting += 1
        gather(line)
      }
    },
    counts: () => ({ ...counts }),
    reset() {
      epoch += 1
      lines.clear()
      ready = []
      Object.assign(counts, nothing)
    },
    async close() {
      isClosed = true
      await agent.destroy()
    },
  }
}

function cutToPosts(line: Line, most: number): Batch[] {
  const batches: Batch[] = []
  for (let from = 0; from < line.fresh.length; from += most)
    batches.push({ line, updates: line.fresh.slice(from, from + most), tries: 0 })
  return batches
}

function retryDelay({ webhookRetryMs, webhookMostRetryMs }: GraphSettings, tries: number): number {
  return Math.min(webhookMostRetryMs, webhookRetryMs * 2 ** tries)
}

type Target = { app: App; url: string }

/** Most specific first: the webhook of the number, of the WABA, of the app. */
function targetsOf(meta: Meta, { wabaId, phoneNumberId, field }: Update): Target[] {
  const waba = meta.wabas.get(wabaId)
  if (!waba) return []
  const targets: Target[] = []
  for (const [appId, { override }] of waba.subscriptions) {
    const app = meta.apps.get(appId)
    if (!app?.fields.has(field)) continue
    const number = phoneNumberId === undefined ? undefined : meta.numbers.get(phoneNumberId)
    const url = (number?.override ?? override)?.url ?? app.callbackUrl
    if (url !== undefined) targets.push({ app, url })
  }
  return targets
}

async function postOnce(agent: Agent, { line, updates }: Batch, mostParts: number): Promise<boolean> {
  try {
    const { origin, pathname, search } = new URL(line.url)
    const body = Buffer.from(buildPost(updates, mostParts))
    const secret = line.isForged ? 'somebody else' : line.app.secret
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
      headersTimeout: answerWithinMs,
      bodyTimeout: answerWithinMs,
    })
    await answer.body.dump()
    return answer.statusCode === 200
  } catch {
    // Rejected, reset or timed out: the webhook did not accept it.
    return false
  }
}

/** Adjacent updates of one WABA share an entry, those with the same head a change. */
function buildPost(updates: Update[], mostParts: number): string {
  const entries: string[] = []
  for (let from = 0; from < updates.length;) {
    const wabaId = updates[from]?.wabaId ?? ''
    const changes: string[] = []
    while (updates[from]?.wabaId === wabaId) {
      const { text, count } = buildChange(updates, { from, mostParts })
      changes.push(text)
      from += count
    }
    entries.push(`{"id":"${wabaId}","time":${Math.floor(Date.now() / 1000)},"changes":[${changes.join(',')}]}`)
  }
  return escapeNonAscii(`{"object":"whatsapp_business_account","entry":[${entries.join(',')}]}`)
}

function buildChange(updates: Update[], { from, mostParts }: { from: number; mostParts: number }) {
  const first = updates[from]
  if (first?.head === undefined) return { text: `{"value":${first?.part},"field":"${first?.field}"}`, count: 1 }
  const parts: string[] = []
  for (let at = from; parts.length < mostParts && updates[at]?.head === first.head; at += 1)
    parts.push(updates[at]?.part ?? '')
  return { text: `{"value":${first.head}[${parts.join(',')}]},"field":"${first.field}"}`, count: parts.length }
}

/** Meta escapes non-ASCII characters, so a signature over re-encoded JSON does not match. */
export function escapeNonAscii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
