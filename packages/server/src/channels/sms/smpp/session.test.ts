import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '@carillon/simulator/index'
import type { SmppConfig } from './config.ts'
import { buildMessage as message, openTestSession, until, type TestSession } from './test-session.ts'
import { sendAll } from '../../../testing/send-all.ts'

let simulator: Simulator
let client: TestSession
const closers: (() => void)[] = []

beforeEach(async () => {
  simulator = await startSimulator({ faults: { lateMs: 200 } })
  client = openTestSession()
})
afterEach(async () => {
  await client.close()
  for (const close of closers.splice(0)) close()
  await simulator.close()
})

const open = (settings: Partial<SmppConfig> = {}) => client.open({ port: simulator.smscPort, ...settings })
const bound = (settings: Partial<SmppConfig> = {}) => client.bound({ port: simulator.smscPort, ...settings })
const reports = () => client.events.filter((event) => event.kind === 'delivery-report')

describe('a number that ends in', () => {
  test.each([
    ['0001', 'accepted', 'delivered', undefined],
    ['0002', 'accepted', 'failed', 'undelivered'],
    ['0003', 'accepted', 'failed', 'expired'],
    ['0004', 'accepted', 'failed', 'operator_rejected'],
    ['0633', 'accepted', 'failed', 'dlt_template'],
    ['0650', 'accepted', 'failed', 'dnd_blocked'],
    ['0012', 'accepted', 'delivered', undefined],
  ])('%s is %s, then %s', async (suffix, kind, status, reason) => {
    const [outcome] = await sendAll(await bound(), [message(`91981234${suffix}`)])
    await until(() => reports().length === 1)
    expect(outcome?.kind).toBe(kind)
    const [report] = reports()
    expect(report?.status).toBe(status)
    expect(report?.reason).toBe(reason)
    if (outcome?.kind === 'accepted') expect(report?.providerMessageIds).toContain(outcome.providerMessageIds[0])
  })

  test.each([
    ['0058', { kind: 'retry', reason: 'throughput_limited', code: '0x58', throttled: true }],
    ['0014', { kind: 'retry', reason: 'throughput_limited', code: '0x14', throttled: true }],
    ['0008', { kind: 'retry', code: '0x08', throttled: false }],
    ['0011', { kind: 'rejected', reason: 'invalid_number', code: '0x0B', scope: 'message' }],
  ])('%s gets the outcome %j', async (suffix, outcome) => {
    expect(await sendAll(await bound(), [message(`91981234${suffix}`)])).toMatchObject([outcome])
  })

  test('0007 gets no response: the outcome is unknown, and the bind is reopened', async () => {
    const session = await bound({ responseTimeoutSeconds: 1 })
    expect(await sendAll(session, [message('919812340007')])).toMatchObject([{ kind: 'unknown' }])
    await until(() => session.state().ready)
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([{ kind: 'accepted' }])
  })

  test('0009 breaks the connection after accepting: the outcome is unknown', async () => {
    const session = await bound()
    expect(await sendAll(session, [message('919812340009')])).toMatchObject([{ kind: 'unknown', code: 'answer_lost' }])
    await until(() => session.state().ready)
  })
})

describe('binds', () => {
  test.each([
    [{ password: 'guess' }, '0x0E', 'The operator rejected the password'],
    [{ systemId: 'unknown' }, '0x0F', 'The system id is unknown to the operator'],
  ])('%j is rejected with a message', async (settings, code, words) => {
    const session = open(settings)
    await until(() => session.state().binds.every(({ status }) => status === 'refused'))
    expect(session.state()).toMatchObject({ ready: false, lastError: { code, message: words } })
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([
      { kind: 'retry', reason: 'not_connected', detail: words },
    ])
  })

  test.each([
    ['an address inside', '127.0.0.1'],
    ['a name that leads inside', 'localhost'],
    ['the metadata of a cloud', '169.254.169.254'],
  ])('to %s are rejected with a message, and never attempted', async (_, host) => {
    const guarded = openTestSession({ isGuarded: true })
    closers.push(() => void guarded.close())
    const session = guarded.open({ host, port: simulator.smscPort })
    await until(() => session.state().binds.every(({ status }) => status === 'refused'))
    const words = expect.stringMatching(`^${host} is not a public address; .* EGRESS_ALLOW$`) as string
    expect(session.state()).toMatchObject({ ready: false, lastError: { code: 'EGRESS_REFUSED', message: words } })
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([
      { kind: 'retry', reason: 'not_connected', detail: words },
    ])
    expect(simulator.handset.totals()).toMatchObject({ received: 0 })
  })

  test('without a listener every message waits, none is lost', async () => {
    const session = open({ port: 1 })
    await until(() => session.state().lastError !== undefined)
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([
      { kind: 'retry', reason: 'not_connected' },
    ])
  })

  test('several binds share the work, each within its window', async () => {
    simulator.putAccount({ systemId: 'carillon', window: 5 })
    simulator.setFaults({ answerDelayMs: [2, 5], magicNumbers: false })
    const session = await bound({ sessions: 3, window: 5 })
    const batch = Array.from({ length: 300 }, (_, index) => message(`9198200${String(index).padStart(5, '0')}`))
    const outcomes = await sendAll(session, batch)
    expect(outcomes.filter(({ kind }) => kind === 'accepted')).toHaveLength(300)
    expect(simulator.handset.totals()).toMatchObject({ received: 300, numbers: 300 })
    expect(session.state().binds.map(({ name }) => name)).toEqual(['trx-1', 'trx-2', 'trx-3'])
    expect(session.window).toBe(15)
  })

  test('a transmitter and a receiver', async () => {
    const session = await bound({ bindMode: 'transmitter-and-receiver' })
    expect(session.state().binds.map(({ name }) => name)).toEqual(['tx-1', 'rx-1'])
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([{ kind: 'accepted' }])
    await until(() => reports().length === 1)
  })

  test('a bind cut off midway: answered messages keep their outcome, others are unknown or wait, and nothing arrives twice', async () => {
    simulator.setFaults({ disconnectAfter: 50, magicNumbers: false })
    const session = await bound({ window: 20 })
    const batch = Array.from({ length: 200 }, (_, index) => message(`9198300${String(index).padStart(5, '0')}`))
    const outcomes = await sendAll(session, batch)
    const count = (kind: string) => outcomes.filter((outcome) => outcome.kind === kind).length
    expect(count('accepted')).toBeGreaterThanOrEqual(30)
    expect(count('rejected')).toBe(0)
    expect(count('accepted') + count('unknown') + count('retry')).toBe(200)
    const isShown = (index: number) => simulator.handset.count(`9198300${String(index).padStart(5, '0')}`)
    for (const [index, { kind }] of outcomes.entries()) {
      if (kind === 'accepted') expect(isShown(index)).toBe(1)
      if (kind === 'retry') expect(isShown(index)).toBe(0)
    }
  })

  test('a bind that stops responding is detected and replaced', async () => {
    simulator.setFaults({ halfOpenAfter: 1 })
    const session = await bound({ enquireLinkSeconds: 1, responseTimeoutSeconds: 1 })
    await sendAll(session, [message('919812340001')])
    await until(() => session.state().lastError !== undefined)
    expect(session.state().lastError).toMatchObject({ code: 'connection_lost' })
    await until(() => session.state().ready)
  })

  test('invalid data closes the connection', async () => {
    simulator.setFaults({ answerBySuffix: { '4321': 'garbage' } })
    const session = await bound()
    expect(await sendAll(session, [message('919812344321')])).toMatchObject([{ kind: 'unknown' }])
    await until(() => session.state().ready)
  })

  test('nothing is accepted after close', async () => {
    const session = await bound()
    const last = sendAll(session, [message('919812340001')])
    await session.close(1_000)
    expect(await last).toMatchObject([{ kind: 'accepted' }])
    expect(await sendAll(session, [message('919812340002')])).toMatchObject([
      { kind: 'retry', reason: 'not_connected' },
    ])
    expect(session.state().ready).toBe(false)
  })

  test('TLS, with and without verification of the certificate', async (context) => {
    const certificate = makeCertificate()
    if (!certificate) return context.skip('this machine cannot make certificates')
    const secure = await startSimulator({ smscTls: certificate })
    closers.push(() => void secure.close())
    const session = await bound({ port: secure.smscPort, tls: true, rejectUnauthorized: false })
    expect(await sendAll(session, [message('919812340001')])).toMatchObject([{ kind: 'accepted' }])
    const careful = open({ port: secure.smscPort, tls: true })
    await until(() => careful.state().lastError !== undefined)
    expect(careful.state().ready).toBe(false)
  })
})

describe('texts', () => {
  const long = 'Dear customer, your order has left our house and will be with you tomorrow. '.repeat(4).trim()
  const hindi = 'प्रिय ग्राहक, आपका ऑर्डर रवाना हो चुका है और कल तक आपके पास पहुँच जाएगा। '.repeat(3).trim()

  test.each([
    ['udh', long, 2],
    ['udh16', long, 2],
    ['sar', long, 2],
    ['payload', long, 1],
    ['udh', hindi, 4],
    ['sar', hindi, 4],
    ['payload', hindi, 1],
  ] as const)('by %s arrive complete', async (longMessage, text, ids) => {
    const [outcome] = await sendAll(await bound({ longMessage }), [message('919812340001', text)])
    expect(outcome).toMatchObject({ kind: 'accepted' })
    if (outcome?.kind === 'accepted') expect(outcome.providerMessageIds).toHaveLength(ids)
    expect(simulator.handset.find('919812340001')?.messages.map((shown) => shown.text)).toEqual([text])
  })

  test('a long text whose first part is rejected was not sent', async () => {
    expect(await sendAll(await bound(), [message('919812340011', long)])).toMatchObject([
      { kind: 'rejected', reason: 'invalid_number' },
    ])
    expect(simulator.handset.count('919812340011')).toBe(0)
  })

  test('DLT ids are passed to the registry', async () => {
    const registered = { entityId: '1101234567890123456', templateId: '1107123456789012345' }
    simulator.putAccount({ systemId: 'carillon', dlt: { templates: [registered], missing: 'refuse' } })
    const session = await bound()
    const ids = { entityId: registered.entityId, dltTemplateId: registered.templateId }
    expect(await sendAll(session, [message('919812345555', 'Hello', ids), message('919812345556')])).toMatchObject([
      { kind: 'accepted' },
      { kind: 'rejected', reason: 'dlt_template', code: '0xC3' },
    ])
  })

  test('hexadecimal ids in responses match decimal ids in receipts', async () => {
    simulator.putAccount({ systemId: 'carillon', answerIdBase: 'hexadecimal', receiptIdBase: 'decimal' })
    simulator.setFaults({ magicNumbers: false })
    const outcomes = await sendAll(
      await bound(),
      Array.from({ length: 40 }, (_, index) => message(`91982000${String(index).padStart(4, '0')}`)),
    )
    await until(() => reports().length >= 20)
    const kept = new Set(outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? outcome.providerMessageIds : [])))
    for (const report of reports()) expect(report.providerMessageIds.some((id) => kept.has(id))).toBe(true)
  })
})

describe('inbound messages', () => {
  test.each([
    ['a word', 'STOP'],
    ['Hindi', 'धन्यवाद, मिल गया'],
    ['more than one part', 'Thank you very much for this. '.repeat(12).trim()],
  ])('%s is received once', async (_, text) => {
    await bound()
    simulator.reply({ number: '919812345670', to: 'ACMESH', text })
    await until(() => client.events.length === 1)
    expect(client.events).toMatchObject([{ kind: 'inbound-message', from: '919812345670', to: 'ACMESH', text }])
  })

  test('what could not be stored is requested again', async () => {
    let failures = 2
    client.storing = () => (failures-- > 0 ? Promise.reject(new Error('the disk is full')) : Promise.resolve())
    simulator.putAccount({ systemId: 'carillon', deliverRetryMs: 20 })
    await bound()
    simulator.reply({ number: '919812345670', to: 'ACMESH', text: 'Thank you very much for this. '.repeat(12).trim() })
    await until(() => client.events.length > 0)
    expect(client.events).toMatchObject([
      { kind: 'inbound-message', text: 'Thank you very much for this. '.repeat(12).trim() },
    ])
  })
})

/** Uses openssl where it is installed: Node can create keys, but no certificates. */
function makeCertificate(): { key: Buffer; cert: Buffer } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
    ]
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}
