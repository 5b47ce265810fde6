import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem } from '../../packages/server/src/db/pool.ts'
import { presentReceipts } from '../../packages/server/src/modules/senders/present-receipts.ts'
import { listSenders } from '../../packages/server/src/modules/senders/senders.queries.ts'
import { buildReceiptsWorld, judge, type ReceiptsWorld, type Sent } from './receipts-world.ts'
import type { ForeignSmscOptions, HandsetMessage } from './smsc.ts'

let world: ReceiptsWorld

beforeAll(async () => {
  world = await buildReceiptsWorld()
})
afterAll(() => world.close())

/** Half of the messages are not delivered, in no order related to ids. */
const fate = ({ index }: HandsetMessage) => ((index * 2_654_435_761) % 1000 < 500 ? 'UNDELIV' : 'DELIVRD')

async function verdictOf(sent: readonly Sent[]) {
  await world.settle(sent)
  const verdicts = await Promise.all(sent.map((each) => judge(world, each, fate)))
  return verdicts.reduce((sum, { right, wrong, open }) => ({
    right: sum.right + right,
    wrong: sum.wrong + wrong,
    open: sum.open + open,
  }))
}

describe('every report is matched to its message', () => {
  test.each<[string, number, ForeignSmscOptions, object?]>([
    ['ids count from 1, decimal', 1500, {}],
    ['answers hexadecimal, receipts decimal', 1000, { answerIds: { base: 16 }, receiptIds: { base: 10 } }],
    [
      'answers decimal, receipts hexadecimal, padded and in capitals',
      1000,
      { receiptIds: { base: 16, width: 8, upperCase: true } },
    ],
    [
      'hexadecimal both, named by parameters alone',
      500,
      { answerIds: { base: 16 }, receipts: { idTlv: true, stateTlv: true } },
    ],
    [
      'answers hexadecimal, receipts decimal and without numbers',
      1000,
      { answerIds: { base: 16 }, receiptIds: { base: 10 }, receiptFrom: 'empty' },
    ],
    [
      'decimal, receipts long before the answers',
      1000,
      { receiptDelayMs: () => -1, answerDelayMs: (n) => (n % 7) * 40 },
    ],
    [
      'decimal, without numbers, receipts long before the answers',
      1000,
      { receiptFrom: 'empty', receiptDelayMs: () => -1, answerDelayMs: (n) => (n % 7) * 40 },
    ],
    ['decimal, without numbers', 500, { receiptFrom: 'empty' }],
    [
      'receipts before the answers',
      1000,
      { answerIds: { base: 16 }, receiptIds: { base: 10 }, receiptDelayMs: () => -1 },
    ],
  ])(
    '%s',
    async (_, total, options, settings) => {
      const line = await world.connect({ fate, ...options }, settings)
      const sent = await world.send(line, total)
      expect(await verdictOf([sent])).toEqual({ right: total, wrong: 0, open: 0 })
    },
    120_000,
  )

  test("the clock's offset is learned: no message is delivered before it was sent, or in the future", async () => {
    const line = await world.connect({
      fate,
      zoneMinutes: 480,
      receipts: { text: true, seconds: true },
      answerIds: { base: 16 },
      receiptIds: { base: 10 },
    })
    const sent = await world.send(line, 500)
    expect(await verdictOf([sent])).toEqual({ right: 500, wrong: 0, open: 0 })
    const pool = world.opened.database.systemPool
    const { rows } = await pool.query(
      `select count(*) filter (where coalesce(delivered_at, failed_at) not between sent_at and now())::int as wrong from messages where campaign_id = $1`,
      [sent.campaignId],
    )
    expect(rows).toEqual([{ wrong: 0 }])
    const [account] = await asSystem(world.opened.database, (db) =>
      listSenders(db, {
        scope: { organizationId: world.manager.organizationId, path: '', descends: false },
        channel: 'sms',
        id: line.senderId,
      }),
    )
    const findings = account?.receipts && presentReceipts(account.receipts, '+05:30')
    expect(findings).toMatchObject({
      idFormat: 'decimal',
      idConflicts: 0,
      otherNumbers: 0,
      clock: 'differs',
      utcOffset: '+08:00',
    })
  })

  test('ids are reused the next day, while reports of the day before are late or lost', async () => {
    const isLate = ({ index }: HandsetMessage) => index < 500 && index % 5 === 0
    const line = await world.connect({ fate: (message) => (isLate(message) ? undefined : fate(message)) })
    const yesterday = await world.send(line, 500)
    await world.settle([yesterday], 100)
    await world.moveToYesterday(yesterday)

    await world.restart(line)
    line.smsc.holdReceipts()
    const today = await world.send(line, 500)
    // Half of the late reports arrive at the end, the others never; each message of today has the id and number of one of yesterday.
    const late = yesterday.messages.filter(isLate)
    for (const message of late.slice(0, 50)) line.smsc.report(message, fate(message))
    line.smsc.releaseReceipts()
    await world.settle([yesterday, today], 50)
    const lost = new Set(late.slice(50))
    expect(await judge(world, today, fate)).toEqual({ right: 500, wrong: 0, open: 0 })
    expect(await judge(world, yesterday, (message) => (lost.has(message) ? undefined : fate(message)))).toEqual({
      right: 500,
      wrong: 0,
      open: 0,
    })
  })

  test('parts of long texts have their own ids, which are reused', async () => {
    const ofText = ({ to }: HandsetMessage) => (Number(to) % 3 === 0 ? 'UNDELIV' : 'DELIVRD')
    const line = await world.connect({ fate: ofText, answerIds: { base: 16 }, receiptIds: { base: 10 } })
    const text = 'Long '.repeat(50)
    const sent = [await world.send(line, 250, text)]
    await world.settle(sent)
    await world.restart(line)
    line.smsc.options.fate = (message) => (ofText(message) === 'UNDELIV' ? 'DELIVRD' : 'UNDELIV')
    sent.push(await world.send(line, 250, text))
    await world.settle(sent)
    const [first, second] = sent
    const whole = { right: 250, wrong: 0, open: 0 }
    expect(first && (await judge(world, first, ofText))).toEqual(whole)
    expect(second && (await judge(world, second, line.smsc.options.fate))).toEqual(whole)
  })

  test('the counter restarts with each of five restarts, for the same recipients', async () => {
    const line = await world.connect({ fate, answerIds: { base: 16 }, receiptIds: { base: 10 } })
    const sent: Sent[] = []
    for (let run = 0; run < 5; run += 1) {
      sent.push(await world.send(line, 300))
      await world.settle(sent)
      await world.restart(line)
    }
    expect(await verdictOf(sent)).toEqual({ right: 1500, wrong: 0, open: 0 })
  })
})
