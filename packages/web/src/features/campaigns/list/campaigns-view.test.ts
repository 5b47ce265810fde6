import { expect, test } from 'vitest'
import { readView, writeView } from '../../../lib/url-state.ts'
import { campaignsView, queryOf, type CampaignTab } from './campaigns-view.ts'

const template = '0199a000-0000-7000-8000-000000000001'
const view = (search: Record<string, string>) => readView(campaignsView, search)
const ofTab = (tab: CampaignTab) => view(writeView(campaignsView, { tab, templateId: template }))

test('each tab asks for its own campaigns', () => {
  const first = { page: 1, limit: 10, sort: 'created', direction: 'desc' }
  expect(queryOf(view({}))).toEqual(first)
  expect(queryOf(ofTab('drafts'))).toEqual({ ...first, status: 'draft,ready' })
  expect(queryOf(ofTab('sms'))).toEqual({ ...first, channel: 'sms', templateId: template })
  expect(queryOf(ofTab('whatsapp'))).toEqual({ ...first, channel: 'whatsapp', templateId: template })
})

test('who works with one channel sees its campaigns on every tab', () => {
  expect(queryOf(view({}), 'sms')).toMatchObject({ channel: 'sms' })
  expect(queryOf(ofTab('drafts'), 'sms')).toMatchObject({ channel: 'sms', status: 'draft,ready' })
})

test('addresses that were kept open the tab they did', () => {
  expect(['0', '1', '2', '3'].map((t) => view({ t }).tab)).toEqual(['all', 'sms', 'drafts', 'whatsapp'])
  expect(view({ t: '4' }).tab).toBe('rcs')
  expect(view({ t: '5' }).tab).toBe('all')
})
