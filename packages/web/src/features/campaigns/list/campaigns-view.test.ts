import { expect, test } from 'vitest'
import { readView } from '../../../lib/url-state.ts'
import { campaignsView, queryOf, smsQueryOf, tabs } from './campaigns-view.ts'

const view = (search: Record<string, string>) => readView(campaignsView, search)
const tab = (name: (typeof tabs)[number]) => String(tabs.indexOf(name))

test('each tab asks for its own campaigns', () => {
  const first = { page: 1, limit: 10, sort: 'created', direction: 'desc' }
  expect(queryOf(view({}))).toEqual(first)
  expect(queryOf(view({ t: tab('whatsapp') }))).toEqual({ ...first, channel: 'whatsapp' })
  expect(queryOf(view({ t: tab('drafts') }))).toEqual({ ...first, status: 'draft,ready' })
  expect(smsQueryOf(view({ t: tab('sms') }))).toEqual(first)
})

test('addresses that were kept before WhatsApp came still open their tab', () => {
  expect(['0', '1', '2'].map((t) => view({ t }).t)).toEqual(['all', 'sms', 'drafts'])
})
