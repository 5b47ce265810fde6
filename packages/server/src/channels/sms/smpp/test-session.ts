import { expect } from 'vitest'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { createEgress, type Egress } from '../../../egress/egress.ts'
import { systemClock } from '../../../lib/clock.ts'
import type { ProviderEvent, Session } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import type { SmppConfig } from './config.ts'
import { smpp } from './smpp.ts'

/** What the engine provides to a session: opening it, and storing its events. */
export type TestSession = {
  events: ProviderEvent[]
  /** Stores a batch of events; rejects where the database would. */
  storing: () => Promise<void>
  open(settings: Partial<SmppConfig>): Session<SmsMessage>
  /** Opens a session, and waits for all its binds. */
  bound(settings: Partial<SmppConfig>): Promise<Session>
  close(): Promise<void>
}

/** A session may connect to the local port that it is opened for; with `isGuarded`, only to what production allows. */
export function openTestSession({ isGuarded = false } = {}): TestSession {
  const sessions: Session[] = []
  const egresses: Egress[] = []
  const test: TestSession = {
    events: [],
    storing: () => Promise.resolve(),
    open(settings) {
      const config = smpp.config.parse({ host: '127.0.0.1', systemId: 'carillon', password: 'simulator', ...settings })
      const allowedPrivate = isGuarded ? [] : [`127.0.0.1:${config.port}`]
      const egress = createEgress({ allowedPrivate, allowedPorts: [], connections: 1 })
      egresses.push(egress)
      const onEvents = async (batch: ProviderEvent[]) => {
        await test.storing()
        test.events.push(...batch)
      }
      const session = smpp.connect(config, {
        clock: systemClock,
        egress,
        callbackUrl: '',
        onState: () => undefined,
        readInstallationSettings: async () => undefined,
        onEvents,
      })
      sessions.push(session)
      return session
    },
    async bound(settings) {
      const session = test.open(settings)
      await until(() => session.state().binds.every(({ status }) => status === 'bound'))
      return session
    },
    async close() {
      await Promise.all(sessions.map((session) => session.close(200)))
      await Promise.all(egresses.map((egress) => egress.close()))
    },
  }
  return test
}

export async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 15_000, interval: 10 }).toBe(true)
}

export function buildMessage(
  number: string,
  text = 'Order 7 is on its way',
  more: Partial<SmsMessage> = {},
): SmsMessage {
  const { encoding, parts } = countSmsParts(text)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const ids = { entityId: undefined, dltTemplateId: undefined }
  return { reference: number, to: `+${number}`, from: 'ACMESH', text, parts, encoding, ...ids, expiresAt, ...more }
}
