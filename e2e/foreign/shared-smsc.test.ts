import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../packages/server/src/testing/until.ts'
import { buildReceiptsWorld, judge, type ReceiptsWorld } from './receipts-world.ts'
import type { ForeignSmscOptions, HandsetMessage } from './smsc.ts'

let world: ReceiptsWorld

beforeAll(async () => {
  world = await buildReceiptsWorld()
})
afterAll(() => world.close())

const fate = ({ index }: HandsetMessage) => ((index * 2_654_435_761) % 1000 < 500 ? 'UNDELIV' : 'DELIVRD')

test.each<[string, ForeignSmscOptions]>([
  ['decimal ids', {}],
  ['answers hexadecimal, receipts decimal', { answerIds: { base: 16 }, receiptIds: { base: 10 } }],
  ['without numbers', { receiptFrom: 'empty' }],
  ['receipts long before the answers', { receiptDelayMs: () => -1, answerDelayMs: (n) => (n % 7) * 40 }],
])(
  'two accounts of one system id, an SMSC that answers on either bind: every receipt finds its message (%s)',
  async (_, options) => {
    const first = await world.connect({ fate, ...options })
    const second = await world.share(first)
    await until(() => first.smsc.connections() >= 2, 'both binds', 60_000)
    const sent = [await world.send(first, 400), await world.send(second, 400)]
    await world.settle(sent)
    for (const each of sent) expect(await judge(world, each, fate)).toEqual({ right: 400, wrong: 0, open: 0 })
  },
  120_000,
)
