import { expect, test } from 'vitest'
import { readView, writeView } from '../../lib/url-state.ts'
import { listQueryOf, reportChannels, reportsView, unfiltered } from './reports-view.ts'

const id = '019ab3c4-5d6e-7f80-91a2-b3c4d5e6f708'

test('filters are kept in the URL and become the query', () => {
  const view = {
    tab: 'files' as const,
    channel: 'rcs' as const,
    status: 'processing' as const,
    range: { from: '2026-11-01', to: '2026-11-07' },
    page: 2,
    pageSize: 50,
    openId: id,
  }
  expect(readView(reportsView, writeView(reportsView, view))).toEqual(view)
  expect(listQueryOf(view)).toEqual({
    channel: 'rcs',
    status: 'processing',
    from: '2026-11-01',
    to: '2026-11-07',
    page: 2,
    limit: 50,
  })
  expect(listQueryOf(unfiltered(view))).toEqual({ page: 1, limit: 50 })
})

test('reports are of all channels together, or of one that sends', () => {
  expect(reportChannels).toEqual(['all', 'sms', 'rcs', 'whatsapp'])
})
