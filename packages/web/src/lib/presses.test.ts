import { describe, expect, test } from 'vitest'
import { CallError } from './call.ts'
import { Presses } from './presses.ts'

function writer(outcome: () => Promise<string> = async () => 'done') {
  let time = 0
  const keys: string[] = []
  const presses = new Presses(() => time)
  const press = (input: unknown) =>
    presses.run(input, (key) => {
      keys.push(key)
      return outcome()
    })
  return { keys, press, pass: (ms: number) => (time += ms) }
}

describe('one write a press', () => {
  test('a double press makes one write', async () => {
    const { keys, press } = writer()
    await Promise.all([press({ amount: 100 }), press({ amount: 100 })])
    expect(keys).toHaveLength(1)
  })

  test('a second press right after the answer is still the same press', async () => {
    const { keys, press, pass } = writer()
    await press({ amount: 100 })
    pass(300)
    expect(press({ amount: 100 })).toBeUndefined()
    expect(keys).toHaveLength(1)
  })

  test('the same write a second later is a new one with a key of its own', async () => {
    const { keys, press, pass } = writer()
    await press({ amount: 100 })
    pass(1000)
    await press({ amount: 100 })
    expect(new Set(keys).size).toBe(2)
  })

  test('two inputs in a row are two writes, also on and off and on again', async () => {
    const { keys, press } = writer()
    await press({ isActive: true })
    await press({ isActive: false })
    await press({ isActive: true })
    expect(keys).toHaveLength(3)
  })

  test('a press during a slow write is ignored however long it takes', async () => {
    let answer: (value: string) => void = () => {}
    const { keys, press, pass } = writer(() => new Promise((resolve) => (answer = resolve)))
    const first = press({ amount: 100 })
    pass(30_000)
    expect(press({ amount: 100 })).toBeUndefined()
    answer('done')
    await first
    expect(keys).toHaveLength(1)
  })
})

describe('the key', () => {
  test('is the same on a retry after a lost answer', async () => {
    const outcomes = [
      () => Promise.reject(new CallError({ message: 'Network', code: 'network' })),
      () => Promise.resolve('done'),
    ]
    const { keys, press, pass } = writer(() => outcomes.shift()?.() ?? Promise.resolve('done'))
    await expect(press({ amount: 100 })).rejects.toThrow('Network')
    pass(5000)
    await press({ amount: 100 })
    expect(keys[0]).toBe(keys[1])
  })

  test('is new after a refusal', async () => {
    const { keys, press, pass } = writer(() =>
      Promise.reject(new CallError({ message: 'Insufficient balance', code: 'bad_request', status: 400 })),
    )
    await expect(press({ amount: 100 })).rejects.toThrow()
    pass(5000)
    await expect(press({ amount: 100 })).rejects.toThrow()
    expect(new Set(keys).size).toBe(2)
  })
})
