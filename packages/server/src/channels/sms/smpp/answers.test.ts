import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameReader } from '../../../lib/smpp/frames.ts'
import { answerBit, command, cString, encodePdu, type Pdu } from '../../../lib/smpp/pdu.ts'
import { buildMessage as message, openTestSession, until, type TestSession } from './test-session.ts'
import { sendAll } from '../../../testing/send-all.ts'

let client: TestSession
const closers: (() => void)[] = []

beforeEach(() => {
  client = openTestSession()
})
afterEach(async () => {
  await client.close()
  for (const close of closers.splice(0)) close()
})

const bound: TestSession['bound'] = (settings) => client.bound(settings)

/** Accepts binds; the test handles everything else. */
async function startSmsc(
  take: (pdu: Pdu, answer: (status: number, body?: Buffer<ArrayBuffer>) => void, socket: Socket) => void,
) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const read = createFrameReader()
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      for (const pdu of read(chunk)) {
        const answer = (status: number, body = Buffer.alloc(0)) =>
          socket.write(
            encodePdu({ commandId: (pdu.commandId | answerBit) >>> 0, status, sequence: pdu.sequence, body }),
          )
        if (pdu.commandId === command.bindTransceiver) answer(0, cString('smsc'))
        else take(pdu, answer, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

test('a lost bind (0x04) is a definite failure for the message and a new bind for the next', async () => {
  let submits = 0
  const port = await startSmsc((pdu, answer) => {
    if (pdu.commandId === command.submitSm) answer((submits += 1) === 1 ? 0x04 : 0, cString('7'))
    else answer(0)
  })
  const session = await bound({ port })
  expect(await sendAll(session, [message('919812345670')])).toMatchObject([
    { kind: 'retry', reason: 'not_connected', code: '0x04' },
  ])
  await until(() => !session.state().ready)
  await until(() => session.state().ready)
  expect(await sendAll(session, [message('919812345670')])).toMatchObject([
    { kind: 'accepted', providerMessageIds: ['7'] },
  ])
})

test.each([
  ['0x410', { kind: 'rejected', reason: 'content_blocked', code: '0x410' }],
  ['0x411', { kind: 'retry', reason: 'throughput_limited', code: '0x411', throttled: true }],
  ['0x412', { kind: 'rejected', reason: 'operator_rejected', code: '0x412' }],
  ['0x279', { kind: 'rejected', reason: 'dlt_template', code: '0x279' }],
])('the operator-specific code %s', async (status, outcome) => {
  const port = await startSmsc((pdu, answer) => answer(pdu.commandId === command.submitSm ? Number(status) : 0))
  const session = await bound({
    port,
    vendorErrors: [
      { code: '0x410', reason: 'content_blocked', action: 'reject' },
      { code: '1041', reason: 'throughput_limited', action: 'retry' },
    ],
  })
  expect(await sendAll(session, [message('919812345670')])).toMatchObject([outcome])
})

test('one part accepted and another rejected: the message must not be sent again', async () => {
  let submits = 0
  const port = await startSmsc((pdu, answer) => {
    if (pdu.commandId === command.submitSm) answer((submits += 1) === 1 ? 0 : 0x45 + 0x20, cString('7'))
    else answer(0)
  })
  const session = await bound({ port })
  expect(await sendAll(session, [message('919812345670', 'x'.repeat(200))])).toMatchObject([
    { kind: 'unknown', code: '0x65' },
  ])
})

test('a throttled second part is retried', async () => {
  let submits = 0
  const port = await startSmsc((pdu, answer) => {
    if (pdu.commandId === command.submitSm) answer((submits += 1) === 2 ? 0x58 : 0, cString(String(submits)))
    else answer(0)
  })
  const session = await bound({ port })
  expect(await sendAll(session, [message('919812345670', 'x'.repeat(200))])).toMatchObject([
    { kind: 'accepted', providerMessageIds: ['1', '3'] },
  ])
})

test('a nack is a rejection', async () => {
  const port = await startSmsc((pdu, answer, socket) => {
    if (pdu.commandId === command.submitSm)
      socket.write(
        encodePdu({ commandId: command.genericNack, status: 2, sequence: pdu.sequence, body: Buffer.alloc(0) }),
      )
    else answer(0)
  })
  expect(await sendAll(await bound({ port }), [message('919812345670')])).toMatchObject([
    { kind: 'rejected', reason: 'bad_request' },
  ])
})

test("answers the operator's enquire_link, unknown PDU and unbind", async () => {
  const received: number[] = []
  const port = await startSmsc((pdu, answer, socket) => {
    received.push(pdu.commandId)
    if (pdu.commandId !== command.submitSm) return
    answer(0, cString('7'))
    for (const commandId of [command.enquireLink, 0x0103_0000, command.unbind])
      socket.write(encodePdu({ commandId, status: 0, sequence: 99, body: Buffer.alloc(0) }))
  })
  const session = await bound({ port })
  await sendAll(session, [message('919812345670')])
  await until(() => session.state().lastError?.message === 'The operator ended the session')
  const answers = [command.enquireLink | answerBit, command.genericNack, command.unbind | answerBit].map(
    (id) => id >>> 0,
  )
  expect(received.slice(1)).toEqual(answers)
})
