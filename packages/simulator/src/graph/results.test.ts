import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { demoAccount } from './demo-account.ts'
import { type Business, startBusiness, helloWorld, messageIdOf, person } from './testing.ts'

let business: Business

beforeEach(async () => {
  business = await startBusiness({ gapMs: [1, 5] })
})
afterEach(() => business.close())

describe('results by the dialled number', () => {
  test.each([
    ['0026', [131026]],
    ['0047', [131047]],
    ['0049', [131049]],
    ['0050', [131050]],
  ])('%s fails after the response with %j', async (suffix, codes) => {
    expect((await business.send(helloWorld, `91981234${suffix}`)).status).toBe(200)
    const statuses = await business.webhook.waitForStatuses(1)
    expect(statuses.map(({ status, errors }) => [status, (errors as { code: number }[])[0]?.code])).toEqual(
      codes.map((code) => ['failed', code]),
    )
  })

  test.each([
    ['0056', 400, 131056],
    ['0429', 400, 130429],
    ['0368', 403, 368],
    ['5500', 500, 131000],
  ])('%s is rejected at once', async (suffix, status, code) => {
    expect(await business.send(helloWorld, `91981234${suffix}`)).toMatchObject({ status, body: { error: { code } } })
  })

  test('0050 also reports that the person stopped marketing, and further marketing fails', async () => {
    await business.send(helloWorld, '919812340050')
    expect(await business.webhook.waitForChanges('user_preferences', 1)).toMatchObject([
      { user_preferences: [{ wa_id: '919812340050', category: 'marketing_messages', value: 'stop' }] },
    ])
    expect(business.control.showPerson('919812340050').stopped).toEqual([demoAccount.wabaId])
  })

  test('0000 is never reported, 0099 only sent', async () => {
    await business.send(helloWorld, '919812340000')
    await business.send(helloWorld, '919812340099')
    await business.send(helloWorld, person)
    expect(
      (await business.webhook.waitForStatuses(4)).map(({ recipient_id, status }) => [recipient_id, status]),
    ).toEqual([
      ['919812340099', 'sent'],
      [person, 'sent'],
      [person, 'delivered'],
      [person, 'read'],
    ])
  })
})

describe('the fault plan of all interfaces', () => {
  test.each([
    ['drop', 1],
    ['silence', 1],
    ['garbage', 1],
    ['answer-then-drop', 1],
    ['reset', 0],
  ] as const)('%s: the response is lost, the phone has %i', async (answer, count) => {
    business.simulator.setFaults({ answers: { [answer]: 1 }, silenceMs: 50 })
    await business.send(helloWorld).catch(() => undefined)
    expect(business.received()).toHaveLength(count)
  })

  test.each([
    ['error-after', 500, 131000, 1],
    ['throttled', 400, 130429, 0],
    ['queue-full', 500, 131016, 0],
    ['system-error', 500, 131000, 0],
    ['unauthorized', 401, 190, 0],
  ] as const)('%s: answered %i %i, the phone has %i', async (answer, status, code, count) => {
    business.simulator.setFaults({ answers: { [answer]: 1 } })
    expect(await business.send(helloWorld)).toMatchObject({ status, body: { error: { code } } })
    expect(business.received()).toHaveLength(count)
  })

  test('repeated reports, reports about unknown messages, and wrong signatures', async () => {
    business.simulator.setFaults({ reports: { duplicate: 1, stranger: 1, forged: 1 } })
    const id = messageIdOf(await business.send(helloWorld))
    const statuses = await business.webhook.waitForStatuses(8)
    expect(statuses.filter((status) => status.id === id && status.status === 'read')).toHaveLength(2)
    expect(statuses.filter((status) => status.id !== id)).toHaveLength(1)
    expect(business.webhook.posts.filter(({ isSigned }) => !isSigned)).toHaveLength(1)
  })

  test('a report may come before the response', async () => {
    business.simulator.setFaults({ reports: { early: 1 } })
    const order: string[] = []
    const answered = business.send(helloWorld).then(() => order.push('answer'))
    await business.webhook.waitForStatuses(3)
    order.push('reports')
    await answered
    expect(order).toEqual(['reports', 'answer'])
  })

  test('the same seed fails the same way', async () => {
    const run = async () => {
      business.simulator.reset()
      business.simulator.setFaults({ seed: 7, answers: { 'system-error': 0.5 } })
      const answers: number[] = []
      for (let index = 10; index < 30; index += 1)
        answers.push((await business.send(helloWorld, `9198123411${index}`)).status)
      return answers
    }
    const first = await run()
    expect(new Set(first)).toEqual(new Set([200, 500]))
    expect(await run()).toEqual(first)
  })
})

describe('limits', () => {
  test('the throughput of a number', async () => {
    business.control.set({ throughput: 2 })
    const answers = await Promise.all(['1', '2', '3'].map((digit) => business.send(helloWorld, `91981234567${digit}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 400,
      body: { error: { code: 130429 } },
    })
  })

  test('one recipient: 45 at once, then 131056, with 429 where configured', async () => {
    business.control.set({ throughput: 0, throttleStatus: 429 })
    const answers = await Promise.all(Array.from({ length: 46 }, () => business.send(helloWorld)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(45)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 429,
      body: { error: { code: 131056 } },
    })
    business.control.set({ pairLimit: false })
    expect((await business.send(helloWorld)).status).toBe(200)
  })
})
