import { afterEach, expect, test } from 'vitest'
import { setAccountZone } from '../../../lib/format.ts'
import { readView, writeView } from '../../../lib/url-state.ts'
import { requestsQueryOf, requestsView } from './requests-view.ts'

afterEach(() => setAccountZone('Asia/Kolkata'))

const keyId = '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f708'

test('filters are kept in the URL and become the query', () => {
  setAccountZone('Asia/Kolkata')
  const view = {
    ...readView(requestsView, { t: '4' }),
    status: 'partially_failed' as const,
    channel: 'sms' as const,
    keyId,
    range: { from: '2026-11-20', to: '2026-11-21' },
    page: 2,
  }
  expect(readView(requestsView, writeView(requestsView, view))).toEqual(view)
  expect(requestsQueryOf(view)).toEqual({
    kind: 'api_send',
    page: 2,
    limit: 25,
    status: 'partially_failed',
    channel: 'sms',
    key: keyId,
    from: '2026-11-19T18:30:00.000Z',
    to: '2026-11-21T18:30:00.000Z',
  })
})

test('without filters only the kind and the page are asked for', () => {
  expect(requestsQueryOf(readView(requestsView, {}))).toEqual({ kind: 'api_send', page: 1, limit: 25 })
})
