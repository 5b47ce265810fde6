import { setTimeout as wait } from 'node:timers/promises'
import { CarillonError, type Carillon, type WebhookEventType } from '@carillon/sdk'
import {
  callHelp,
  callOptions,
  CommandError,
  textOf,
  UsageError,
  type Command,
  type Input,
  type Terminal,
} from '../command.ts'
import { connect } from '../connect.ts'
import { forgetListener, saveListener } from '../login-file.ts'

type ListedEvent = Awaited<ReturnType<Carillon['events']['list']>>['events'][number]

const waitSeconds = 20
const forwardTimeoutMs = 15_000

export const listen: Command = {
  summary: 'Print events as they occur, and forward them to a local server',
  help: `Usage: carillon listen [--forward-to URL] [--events TYPE,TYPE…]

Prints each event until Ctrl+C. With --forward-to it is sent to this address, signed as a webhook endpoint would get it; verify it with the
secret that is printed at the start.

Options:
  --forward-to URL      Such as http://localhost:3000/webhooks
  --events TYPES        Only these types, separated by commas
  --count NUMBER        End after so many events
${callHelp}`,
  options: { ...callOptions, 'forward-to': { type: 'string' }, events: { type: 'string' }, count: { type: 'string' } },
  async run(terminal, input) {
    const target = readTarget(input)
    const count = readCount(input)
    const { carillon } = connect(terminal, input)
    const listener = await carillon.events.listen(readTypes(input), { signal: terminal.signal })
    saveListener(terminal.env, { id: listener.id })
    try {
      if (input.values['json']) terminal.note(JSON.stringify({ listenerId: listener.id, secret: listener.secret }))
      else
        terminal.note(
          `Listening for ${listener.environment} events${target ? `, forwarding to ${target}` : ''}. Secret: ${listener.secret}`,
        )
      await follow(terminal, input, { carillon, listenerId: listener.id, target, count })
    } finally {
      forgetListener(terminal.env, listener.id)
      // It is deleted by itself if this fails.
      await carillon.events.stop(listener.id, { timeoutMs: 3000 }).catch(() => undefined)
    }
  },
}

type Following = { carillon: Carillon; listenerId: string; target: string | undefined; count: number }

/** An event is confirmed by the next call, after it was forwarded, so one that was interrupted comes again. */
async function follow(
  terminal: Terminal,
  input: Input,
  { carillon, listenerId, target, count }: Following,
): Promise<void> {
  const { signal } = terminal
  let after: string | undefined
  let seen = 0
  while (!signal.aborted && seen < count) {
    const { events, nextCursor } = await readEvents(terminal, () =>
      carillon.events.list({ listenerId, after, waitSeconds, limit: 50 }, { signal }),
    )
    for (const event of events.slice(0, count - seen)) {
      const result = target === undefined ? undefined : await forward(event, target, signal)
      terminal.out(input.values['json'] ? JSON.stringify({ ...event, forwarded: result }) : describe(event, result))
      seen += 1
    }
    after = nextCursor ?? after
  }
}

type Page = Awaited<ReturnType<Carillon['events']['list']>>

const pauseMs = 3000

/** A server that is restarted is no reason to end. */
async function readEvents({ note, signal }: Terminal, read: () => Promise<Page>): Promise<Page> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const isPassing =
        error instanceof CarillonError && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (!isPassing) throw error
      note(`${error.message}: trying again`)
      await wait(pauseMs, undefined, { signal })
    }
  }
}

type Forwarded = { status: number } | { error: string }

async function forward(event: ListedEvent, target: string, signal: AbortSignal): Promise<Forwarded> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Carillon-Webhooks/1.0', ...event.headers },
      body: event.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]),
    })
    await response.arrayBuffer()
    return { status: response.status }
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { error: cause instanceof Error ? cause.message : 'No response' }
  }
}

function describe({ type, timestamp, id }: ListedEvent, result: Forwarded | undefined): string {
  const outcome =
    result === undefined ? '' : 'status' in result ? `  → ${result.status}` : `  → failed: ${result.error}`
  return `${timestamp}  ${type.padEnd(26)}  ${id}${outcome}`
}

function readTarget(input: Input): string | undefined {
  const target = textOf(input, 'forward-to')
  if (target === undefined) return undefined
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward-to has to be a URL such as http://localhost:3000/webhooks')
  return target
}

function readTypes(input: Input) {
  const types = textOf(input, 'events')
  // The server knows the types, and names the wrong one.
  return types === undefined ? {} : { eventTypes: types.split(',').map((type) => type.trim() as WebhookEventType) }
}

function readCount(input: Input): number {
  const text = textOf(input, 'count')
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--count has to be a number such as 10')
  return Number(text)
}

export function requireListener(id: string | undefined): string {
  if (!id) throw new CommandError('No listener runs on this machine: start carillon listen, or give --listener ID')
  return id
}
