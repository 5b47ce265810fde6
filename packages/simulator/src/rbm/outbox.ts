import { createHmac } from 'node:crypto'
import { Agent as Connections } from 'undici'
import { inBackground } from '../background.ts'
import type { Simulation } from '../simulation.ts'
import { demoPartner } from './demo-agent.ts'
import type { Directory } from './directory.ts'
import type { Agent, Row } from './objects.ts'
import type { RbmSettings } from './settings.ts'

/** An event or a message of a person, for the webhook of its agent. */
export type News = {
  agent: Agent
  type: 'message' | 'event' | 'agent_launch_event'
  /** Further attributes of the envelope. */
  attributes?: Record<string, string>
  data: Row
  isForged?: boolean | undefined
}

export type Outbox = {
  post: (news: News) => void
  counts: () => {
    waiting: number
    inFlight: number
    posted: number
    taken: number
    failedPosts: number
    dropped: number
  }
  reset: () => void
  close: () => Promise<void>
}

type OutboxOptions = { simulation: Simulation; directory: Directory; settings: RbmSettings }
type Post = { body: string; headers: Record<string, string>; agent: Agent; tries: number }

const nothing = { waiting: 0, posted: 0, taken: 0, failedPosts: 0, dropped: 0 }
const answerWithinMs = 15_000

/**
 * Posts events one by one in Google's envelope, signed over the decoded data, and retries with growing pauses until the
 * response is 200. The URL is looked up at every attempt: a webhook may be moved meanwhile.
 */
export function createOutbox({ simulation, directory, settings }: OutboxOptions): Outbox {
  // As many connections as posts are in flight.
  const connections = new Connections({ pipelining: 1 })
  const queue = createQueue<Post>()
  const counts = { ...nothing, inFlight: 0 }
  let isClosed = false
  let epoch = 0

  function fill() {
    while (!isClosed && counts.inFlight < settings.webhookInFlight) {
      const post = queue.take()
      if (!post) return
      inBackground(send(post))
    }
  }

  async function send(post: Post) {
    const startedIn = epoch
    counts.inFlight += 1
    counts.posted += 1
    const isAccepted = await postOnce(connections, webhookOf(directory, post.agent)?.url, post)
    counts.inFlight -= 1
    // Discards responses that arrive after a reset.
    if (startedIn === epoch) {
      if (isAccepted) {
        counts.taken += 1
        counts.waiting -= 1
      } else tryAgain(post)
    }
    fill()
  }

  function tryAgain(post: Post) {
    counts.failedPosts += 1
    const { webhookMostRetryMs, webhookRetryMs } = settings
    simulation.scheduler.after(Math.min(webhookMostRetryMs, webhookRetryMs * 2 ** post.tries), () => {
      queue.add({ ...post, tries: post.tries + 1 })
      fill()
    })
  }

  return {
    post(news) {
      const webhook = webhookOf(directory, news.agent)
      if (!webhook || counts.waiting >= settings.webhookMostWaiting) {
        counts.dropped += 1
        return
      }
      counts.waiting += 1
      const key = news.isForged ? 'somebody else' : webhook.clientToken
      queue.add({ ...buildPost(news, key, settings), agent: news.agent, tries: 0 })
      fill()
    },
    counts: () => ({ ...counts }),
    reset() {
      epoch += 1
      queue.clear()
      Object.assign(counts, nothing)
    },
    async close() {
      isClosed = true
      await connections.destroy()
    },
  }
}

/** The webhook of the agent precedes that of the partner. */
function webhookOf(directory: Directory, { id, platform }: Agent) {
  return directory.agents.get(id)?.webhook ?? (platform === 'google' ? directory.webhook() : undefined)
}

let pushes = Date.now() * 1000

function buildPost({ agent, type, attributes, data }: News, key: string, settings: RbmSettings) {
  const text = JSON.stringify(data)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'CloudPubSub-Google' }
  // The Dotgo platform does not sign.
  if (agent.platform === 'dotgo') {
    if (settings.dotgoBareEvents) return { body: text, headers }
  } else {
    headers['x-goog-signature'] = createHmac('sha512', key).update(text).digest('base64')
    headers['x-goog-webhook-type'] = type
  }
  pushes += 1
  const envelope = {
    message: {
      attributes: {
        business_id: agent.id,
        type,
        product: 'RBM',
        project_number: demoPartner.partnerId,
        ...attributes,
      },
      data: Buffer.from(text).toString('base64'),
      messageId: String(pushes),
      message_id: String(pushes),
      publishTime: timestamp(),
    },
    subscription: `projects/${demoPartner.projectId}/subscriptions/rbm-agent-push`,
  }
  return { body: JSON.stringify(envelope), headers }
}

async function postOnce(connections: Connections, url: string | undefined, post: Post): Promise<boolean> {
  if (url === undefined) return false
  try {
    const { origin, pathname, search } = new URL(url)
    const answer = await connections.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: post.headers,
      body: post.body,
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

/** RFC 3339 with microseconds, as Google writes it. */
export function timestamp(atMs = Date.now()): string {
  return `${new Date(atMs).toISOString().slice(0, -1)}417Z`
}

/** First in, first out, without moving the rest at every removal. */
function createQueue<Entry>() {
  let entries: Entry[] = []
  let head = 0
  return {
    add(entry: Entry) {
      entries.push(entry)
    },
    take(): Entry | undefined {
      const entry = entries[head]
      if (entry === undefined) return undefined
      head += 1
      if (head > 1000 && head * 2 > entries.length) {
        entries = entries.slice(head)
        head = 0
      }
      return entry
    },
    clear() {
      entries = []
      head = 0
    },
  }
}
