import { asSystem } from '@carillon/server/db/pool'
import { playStory } from '@carillon/server/demo/story'
import { addSupport } from '@carillon/server/demo/support'
import { describe, expect, test } from 'vitest'
import { overlappingTexts, cutOff, smallTargets } from './accessibility/fit.ts'
import { addApiKeys } from './support/api-key-screens.ts'
import { addReports } from './support/report-screens.ts'
import { addRequests } from './support/request-screens.ts'
import { addWebhooks } from './support/webhook-screens.ts'
import { useSharedPages } from './support/shared-pages.ts'
import { shots } from './support/screens.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator, database, cast, receiver }) => {
  await asSystem(database, (db) => addSupport(db, cast))
  await playStory({ url, simulator })
  await addApiKeys(url)
  await addWebhooks(url, receiver)
  await addRequests(url)
  await addReports(url)
})

/** One screen of each kind, because they share components. */
const shown = [
  'login',
  'overview',
  'dashboard-admin',
  'campaigns',
  'campaign-peek',
  'audience-corrections',
  'wizard-template',
  'wizard-review',
  'whatsapp-wizard-failover',
  'sms-templates',
  'create-sms',
  'whatsapp-builder-arabic',
  'channels',
  'connect-account',
  'whatsapp-accounts',
  'rcs-bots',
  'rcs-bot-in-review',
  'rcs-settings',
  'users-admin',
  'users-reseller',
  'general-preferences',
  'support-requests',
  'billing',
  'billing-reseller',
  'quota-management',
  'chats',
  'chats-empty',
  'chat',
  'chat-note',
  'chats-select',
  'chats-filters',
  'api-keys',
  'api-key-create',
  'api-key-peek',
  'key-configs',
  'key-config-create',
  'key-config-json',
  'api-requests',
  'api-request',
  'reports',
  'report-form',
  'report-peek',
  'webhooks',
  'webhook-create',
  'webhook-peek',
  'webhook-deliveries',
  'webhook-delivery',
  'quickstart',
]

describe.each([
  { kind: 'phone', width: 390, height: 844 },
  { kind: 'desktop', width: 1024, height: 768 },
])('a window of $width px with touch', ({ kind, width, height }) => {
  const pages = useSharedPages(site, { allow: [/401/], viewport: { width, height }, hasTouch: true })
  const visible = shots.filter(({ name, except }) => except !== kind && shown.includes(name))

  test.each(visible)('$name', { timeout: 60_000 }, async (shot) => {
    const page = await pages.open(shot)
    expect([...(await cutOff(page)), ...(await overlappingTexts(page)), ...(await smallTargets(page))]).toEqual([])
  })
})
