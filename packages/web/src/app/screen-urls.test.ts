import { expect, test } from 'vitest'
import { editorView } from '../channels/parts/templates/editor-view.ts'
import { templatesView } from '../channels/sms/templates/view.ts'
import { whatsappView } from '../channels/whatsapp/accounts/whatsapp-view.ts'
import { whatsappTemplatesView } from '../channels/whatsapp/templates/view.ts'
import { apiKeysView } from '../features/api-keys/api-keys-view.ts'
import { requestsView } from '../features/api-keys/requests/requests-view.ts'
import { deliveriesView } from '../features/api-keys/webhooks/deliveries-view.ts'
import { billingView } from '../features/billing/billing-view.ts'
import { allCampaignsView } from '../features/campaigns/all-campaigns/all-campaigns-view.ts'
import { campaignsView } from '../features/campaigns/list/campaigns-view.ts'
import { reportsView } from '../features/campaigns/numbers/reports-view.ts'
import { stepsOf } from '../features/campaigns/wizard/wizard-steps.ts'
import { wizardView } from '../features/campaigns/wizard/wizard-view.ts'
import { chatsView } from '../features/chats/chats-view.ts'
import { dashboardView } from '../features/overview/dashboard-view.ts'
import { familiesView } from '../features/templates/families/families-view.ts'
import { usageView } from '../features/quota-reports/usage-view.ts'
import { settingsView } from '../features/settings/settings-view.ts'
import { usersView } from '../features/users/users-view.ts'
import { allCampaignsLink, billingLink, numberLink, settingsLink, usersLink, wizardLink } from '../lib/links.ts'
import { listView } from '../lib/list-view.ts'
import { stringifySearch } from '../lib/search.ts'
import { readView, writeView, type View, type ViewState } from '../lib/url-state.ts'

const id = '0199a000-0000-7000-8000-000000000001'
const range = { from: '2025-11-01', to: '2025-11-07' }

/** A URL that users keep as bookmarks, in saved views and in mails: its letters and numbers are fixed. */
function testUrl<Of extends View>(name: string, query: string, [view, state]: [Of, Partial<ViewState<Of>>]) {
  test(`the URL of ${name} stays as it is`, () => {
    const search = writeView(view, state)
    expect(stringifySearch(search)).toBe(query)
    expect(readView(view, search)).toMatchObject(state)
  })
}

testUrl('campaigns', `?t=2&q=6f6e65&f=7&m=${id}&r=20251101-20251107&s=3&d=1&p=2&n=50&c=${id}`, [
  campaignsView,
  {
    tab: 'drafts',
    search: 'one',
    status: ['paused'],
    templateId: id,
    range,
    sort: 'cost',
    direction: 'asc',
    page: 2,
    pageSize: 50,
    openId: id,
  },
])
testUrl('template families', `?q=6f6e65&f=1&p=2&n=50&v=1&c=${id}`, [
  familiesView,
  { search: 'one', ready: 'not_ready', page: 2, pageSize: 50, mode: 'edit', openId: id },
])
testUrl('all campaigns', `?t=1&q=6f6e65&a=0199a000000070008000000000000001&h=3&m=6f6e65&p=2&n=50&c=${id}`, [
  allCampaignsView,
  {
    tab: 'under_way',
    search: 'one',
    accountIds: [id],
    channel: 'whatsapp',
    templateName: 'one',
    page: 2,
    pageSize: 50,
    openId: id,
  },
])
testUrl('the campaign wizard', `?t=4&c=${id}&m=${id}`, [
  wizardView(stepsOf('whatsapp')),
  { step: 'review', draftId: id, templateId: id },
])
testUrl('a report', `?c=${id}`, [reportsView, { campaignId: id }])
testUrl('users', `?q=6f6e65&y=3&u=3&m=1&l=1&s=2&d=1&p=2&n=50&c=${id}`, [
  usersView,
  {
    search: 'one',
    type: 'manager',
    status: 'suspended',
    module: 'campaign',
    lowBalance: true,
    sort: 'balance',
    direction: 'asc',
    page: 2,
    pageSize: 50,
    openId: id,
  },
])
testUrl('billing', '?t=2&r=20251101-20251107&f=4&b=1&u=2&p=2&n=50', [
  billingView,
  { tab: 'requests', range, kind: 'usage', box: 'incoming', status: 'approved', page: 2, pageSize: 50 },
])
testUrl('the settings', '?t=11&q=3931&s=1&h=3&p=2&n=50', [
  settingsView,
  { tab: 'optOuts', number: '91', scope: 'sms', source: 'manual', page: 2, pageSize: 50 },
])
testUrl('the usage', '?a=0199a000000070008000000000000001&r=20251101-20251107&h=1&o=1&e=1', [
  usageView,
  { accountIds: [id], range, channel: 'sms', isCompared: true, isExplained: true },
])
testUrl('the dashboard', `?r=1&a=${id}`, [dashboardView, { range: '30', accountId: id }])
testUrl('SMS templates', `?q=6f6e65&a=${id}&k=1&e=1&f=2&p=2&n=50&v=1&c=${id}`, [
  templatesView,
  {
    search: 'one',
    accountId: id,
    category: 'service_implicit',
    encoding: 'ucs2',
    status: 'rejected',
    page: 2,
    pageSize: 50,
    layout: 'grid',
    openId: id,
  },
])
testUrl('WhatsApp templates', `?q=6f6e65&w=1234&f=3&k=1&l=3&g=1&a=6f6e65&b=74776f&p=2&n=50&c=${id}`, [
  whatsappTemplatesView,
  {
    search: 'one',
    wabaId: '1234',
    status: 'REJECTED',
    category: 'UTILITY',
    language: 'hi',
    quality: 'yellow',
    after: 'one',
    before: 'two',
    page: 2,
    pageSize: 50,
    openId: id,
  },
])
testUrl('the conversations', `?t=1&q=6f6e65&s=2&u=3&h=1&l=${id}&b=766970&y=1&f=1&g=1&c=${id}&m=${id}&v=1`, [
  chatsView,
  {
    box: 'unassigned',
    search: 'one',
    order: 'waiting',
    status: 'snoozed',
    channel: 'rcs',
    lineId: id,
    label: 'vip',
    handledBy: 'human',
    isUnread: true,
    isClosingSoon: true,
    openId: id,
    itemId: id,
    showsDetails: true,
  },
])
testUrl('API Control', `?t=1&q=6f6e65&u=2&e=1&p=2&n=50&c=${id}&l=2`, [
  apiKeysView,
  {
    tab: 'configs',
    search: 'one',
    status: 'expired',
    environment: 'live',
    page: 2,
    pageSize: 50,
    openId: id,
    language: 'python',
  },
])
testUrl('the request log', `?t=4&u=3&h=0&k=${id}&r=20251101-20251107&p=2&n=50&c=${id}`, [
  requestsView,
  {
    tab: 'requests',
    status: 'partially_failed',
    channel: 'sms',
    keyId: id,
    range: { from: '2025-11-01', to: '2025-11-07' },
    page: 2,
    pageSize: 50,
    openId: id,
  },
])
testUrl('deliveries of a webhook', `?t=3&w=${id}&u=3&y=6f6e65&p=${id.replaceAll('-', '')}&c=${id}`, [
  deliveriesView,
  { tab: 'webhooks', endpointId: id, status: 'dead', type: 'one', cursors: [id], openId: id },
])
testUrl('a template editor', `?c=${id}&v=1`, [editorView, { templateId: id, mode: 'copy' }])
testUrl('WhatsApp', `?t=2&c=${id}&r=90`, [whatsappView, { tab: 'analytics', chosenId: id, days: 90 }])

testUrl('a row of a list', `?q=6f6e65&c=${id}`, [listView, { search: 'one', openId: id }])
testUrl('campaigns that need help', `?t=2&c=${id}`, [allCampaignsLink, { tab: 'needs_help', openId: id }])
testUrl('accounts with a low balance', `?l=1&c=${id}`, [usersLink, { lowBalance: true, openId: id }])
testUrl('registrations', '?u=1', [usersLink, { status: 'pending' }])
testUrl('top-up requests to answer', '?t=2&b=1', [billingLink, { tab: 'requests', box: 'incoming' }])
testUrl('the settings of sending', '?t=9', [settingsLink, { tab: 'sending' }])
testUrl('a new campaign with a template', `?m=${id}`, [wizardLink, { templateId: id }])
testUrl('a phone number', '?q=3931393837', [numberLink, { number: '91987' }])
