import { expect, test } from 'vitest'
import { countAffected } from './affected-accounts.ts'

const account = (_id: string, accountCount: number, aboveIds: string[] = []) => ({ _id, accountCount, aboveIds })

test('an account below another one that is selected counts once', () => {
  const [manager, head, other] = [account('m', 5), account('h', 2, ['m']), account('o', 0)]
  expect(countAffected([manager])).toBe(6)
  expect(countAffected([manager, other])).toBe(7)
  expect(countAffected([manager, head, other])).toBe(7)
  expect(countAffected([head, account('u', 0, ['h', 'm'])])).toBe(3)
  expect(countAffected([manager, account('u', 0, ['h', 'm'])])).toBe(6)
})
