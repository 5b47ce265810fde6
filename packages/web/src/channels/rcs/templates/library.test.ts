import { reviewStatuses } from '@carillon/contract/review-statuses'
import { readView } from '../../../lib/url-state.ts'
import { expect, test } from 'vitest'
import { rcsTemplates } from './library.ts'
import { rcsTemplatesView } from './view.ts'

test('links of other screens filter the list by status', () => {
  const statuses = rcsTemplates.attention.map(({ search }) => readView(rcsTemplatesView, search).status)
  expect(statuses).toEqual(['REJECTED', 'PAUSED', 'PENDING'])
  expect(statuses.every((status) => status && reviewStatuses.includes(status))).toBe(true)
})
