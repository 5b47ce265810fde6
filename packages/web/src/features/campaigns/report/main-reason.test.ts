import { expect, test } from 'vitest'
import { mainReason } from './main-reason.ts'

const reason = (title: string, failed: number) => ({ title, failed })

test.each([
  ['nothing failed', [reason('Opted out', 0)], 0, ''],
  ['one reason', [reason('The number is switched off', 4), reason('Opted out', 0)], 4, ': The number is switched off'],
  ['more than half', [reason('Expired', 1), reason('WhatsApp is down', 3)], 4, ', most of them: WhatsApp is down'],
  ['the most frequent', [reason('DLT', 4), reason('B', 3), reason('C', 3)], 10, ', the most frequent reason: DLT'],
  ['a tie', [reason('A', 90), reason('B', 90)], 180, ''],
])('%s', (_, reasons, failed, words) => {
  expect(mainReason(reasons, failed)).toBe(words)
})
