import { expect, test } from 'vitest'
import type { Channel } from '@carillon/contract/channels'
import { until } from '../../testing/until.ts'
import { findProvider, listProviders } from '../index.ts'
import type { OutboundMessage, ProviderEvent, ProviderIo, SendOutcome } from '../provider.ts'
import { magicPrefix } from './fates.ts'
import { createSandbox } from './sandbox.ts'

function open(channel: Channel = 'sms') {
  const events: ProviderEvent[] = []
  // The sandbox uses nothing else.
  const io = {
    clock: { now: () => new Date() },
    onEvents: async (arrived: ProviderEvent[]) => void events.push(...arrived),
  } as unknown as ProviderIo
  const session = createSandbox(channel).connect({}, io)
  const send = (message: OutboundMessage) =>
    new Promise<SendOutcome>((resolve) => session.send([message], (_index, outcome) => resolve(outcome)))
  return { session, events, send }
}

let sequence = 0

const message = (to: string, parts = 1): OutboundMessage => {
  sequence += 1
  return { reference: `message.${sequence}`, to, parts, expiresAt: new Date(Date.now() + 60_000) }
}

const statuses = (events: readonly ProviderEvent[]) =>
  events.map((event) => (event.kind === 'delivery-report' ? event.status : event.kind))

test('a message to any number is accepted and delivered, each of its parts reported', async () => {
  const { send, events, session } = open()
  const outcome = await send(message('+919812345678', 3))
  expect(outcome).toMatchObject({ kind: 'accepted' })
  await until(() => events.length === 3, 'the reports')
  const ids = events.flatMap((event) => (event.kind === 'delivery-report' ? event.providerMessageIds : []))
  expect(outcome).toMatchObject({ providerMessageIds: ids })
  await session.close(0)
})

test('magic numbers fail, are rejected, are read, and answer', async () => {
  const { send, events, session } = open('whatsapp')
  expect(await send(message(`${magicPrefix}03`))).toMatchObject({ kind: 'rejected', scope: 'message' })
  await send(message(`${magicPrefix}01`))
  await until(() => events.length === 1, 'the failure')
  expect(events[0]).toMatchObject({ status: 'failed', reason: 'number_unreachable' })
  await send(message(`${magicPrefix}08`))
  await until(() => events.length === 3, 'the receipt')
  expect(statuses(events.slice(1))).toEqual(['delivered', 'read'])
  await send(message(`${magicPrefix}10`))
  await until(() => events.length === 5, 'the answer')
  expect(events[4]).toMatchObject({ kind: 'inbound-message', text: 'STOP', from: `${magicPrefix}10` })
  await session.close(0)
})

test('a lost response and a throttled attempt succeed when they are repeated', async () => {
  const { send, session } = open()
  for (const [digits, first] of [
    ['06', 'unknown'],
    ['07', 'retry'],
  ]) {
    const sent = message(magicPrefix + digits)
    expect(await send(sent)).toMatchObject({ kind: first })
    expect(await send(sent)).toMatchObject({ kind: 'accepted' })
  }
  await session.close(0)
})

test('a closed session reports nothing more', async () => {
  const { send, events, session } = open()
  await send(message('+919812345678'))
  await session.close(0)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(events).toEqual([])
})

test('it is found by its name, and not among those that can be connected', () => {
  for (const channel of ['sms', 'whatsapp', 'rcs'] as const) {
    expect(findProvider(`sandbox-${channel}`)?.channel).toBe(channel)
    expect(listProviders(channel).map(({ name }) => name)).not.toContain(`sandbox-${channel}`)
  }
})
