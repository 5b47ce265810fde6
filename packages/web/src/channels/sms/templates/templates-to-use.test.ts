import { expect, test } from 'vitest'
import { templatesToUse } from './templates-to-use.ts'

const template = (name: string, usedCount: number, status: 'approved' | 'rejected' = 'approved') => ({
  name,
  usedCount,
  status,
})
const names = (templates: readonly { name: string }[]) => templates.map(({ name }) => name)

test('what was used most often comes first, and what was never used is not offered to be used again', () => {
  const templates = [template('new', 0), template('some', 2), template('refused', 9, 'rejected'), template('often', 6)]
  const { isAgain, shown } = templatesToUse(templates)
  expect(isAgain).toBe(true)
  expect(names(shown)).toEqual(['often', 'some'])
})

test('before any was used, approved templates are there to start from', () => {
  const { isAgain, shown } = templatesToUse([template('first', 0), template('refused', 0, 'rejected')])
  expect(isAgain).toBe(false)
  expect(names(shown)).toEqual(['first'])
})
