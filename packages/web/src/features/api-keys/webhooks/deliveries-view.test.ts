import { expect, test } from 'vitest'
import { readView, writeView } from '../../../lib/url-state.ts'
import { cursorsOfPage, deliveriesQueryOf, deliveriesView } from './deliveries-view.ts'

const first = readView(deliveriesView, { t: '3', w: '019ab3c4' })
const cursor = '019ab3c45d6e7f8091a2b3c4d5e6f708'
const id = '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f708'

test('a page is kept in the URL by the cursors that led to it', () => {
  const second = { ...first, cursors: cursorsOfPage(2, first, cursor) }
  expect(second.cursors).toEqual([id])
  expect(readView(deliveriesView, writeView(deliveriesView, second))).toEqual(second)
  expect(deliveriesQueryOf(second)).toEqual({ limit: 20, cursor })
  expect(cursorsOfPage(1, second, null)).toEqual([])
})

test('the last page has no next one', () => {
  expect(cursorsOfPage(2, first, null)).toEqual([])
})

test('a type that does not exist is left out of the query', () => {
  expect(deliveriesQueryOf({ ...first, status: 'dead', type: 'message.sent' })).toEqual({
    limit: 20,
    status: 'dead',
    type: 'message.sent',
  })
  expect(deliveriesQueryOf({ ...first, type: 'message.lost' })).toEqual({ limit: 20 })
})
