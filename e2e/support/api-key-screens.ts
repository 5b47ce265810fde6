import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { ApiKey, ApiKeyInput } from '@carillon/contract/api-key-records'
import type { KeyConfig } from '@carillon/contract/key-config-records'
import type { Page } from 'playwright-core'
import { openMenuOf } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const path = '/organization/api-management'

const open = (button: string) => (page: Page) =>
  page
    .getByRole('button', { name: button })
    .filter({ visible: true })
    .first()
    .click()
    .then(() => page.getByRole('dialog').waitFor())
const menuItem = (row: string, item: string) => async (page: Page) => {
  await openMenuOf(page, row)
  await page.getByRole('menuitem', { name: item }).click()
}

const config = {
  binding: { name: 'Transactional', description: 'Orders and one-time passwords' },
  channels: { allowed: ['sms', 'whatsapp'], default: 'sms' },
  filters: { allowedCountries: ['IN'] },
  rate: { requestsPerSecond: 20, messagesPerDay: 50_000 },
  spend: { maxPerDay: 2500 },
}

/** Keys and a key config of the manager, and a key of an account below. */
export async function addApiKeys(url: string) {
  const [manager, user] = await Promise.all(
    ['manager', 'user'].map((username) => createClient(url, { username, password: demoPassword })),
  )
  if (!manager || !user) return
  const { id } = await manager.call<KeyConfig>('keyConfigs.create', { body: config })
  const key = (name: string, rest: Partial<ApiKeyInput & Pick<ApiKey, 'environment'>> = {}) => ({
    body: { name, environment: 'live', scopes: ['messages:read', 'balance:read'], ...rest },
  })
  await manager.call('apiKeys.create', key('Shop server', { keyConfigId: id, ipAllowlist: ['203.0.113.0/24'] }))
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
  await manager.call('apiKeys.create', key('Warehouse sync', { expiresAt: soon }))
  const old = await manager.call<ApiKey>('apiKeys.create', key('Old integration', { environment: 'test' }))
  await manager.call('apiKeys.deactivate', { path: { id: old.id } })
  await user.call('apiKeys.create', key('Store kiosk', { environment: 'test' }))
}

/** API Control, with all that opens over it. */
export const apiKeyShots: readonly Shot[] = [
  { name: 'api-keys', as: 'manager', path },
  { name: 'api-keys-empty', as: 'manager2', path },
  { name: 'api-keys-none', as: 'manager', path: `${path}?q=7a7a7a` },
  { name: 'api-key-create', as: 'manager', path, act: open('Create key') },
  { name: 'api-key-check', as: 'manager', path, act: open('Check a key') },
  {
    name: 'api-key-peek',
    as: 'manager',
    path,
    act: (page) => page.getByText('Shop server').filter({ visible: true }).first().click(),
  },
  { name: 'api-key-edit', as: 'manager', path, act: menuItem('Shop server', 'Edit…') },
  { name: 'api-key-regenerate', as: 'manager', path, act: menuItem('Warehouse sync', 'Regenerate…') },
  { name: 'api-key-deactivate', as: 'manager', path, act: menuItem('Warehouse sync', 'Deactivate…') },
  { name: 'key-configs', as: 'manager', path: `${path}?t=1` },
  { name: 'key-configs-empty', as: 'manager2', path: `${path}?t=1` },
  { name: 'key-config-create', as: 'manager', path: `${path}?t=1`, act: open('Create config') },
  {
    name: 'key-config-json',
    as: 'manager',
    path: `${path}?t=1`,
    act: async (page) => {
      await menuItem('Transactional', 'Edit…')(page)
      await page.getByRole('radio', { name: 'JSON' }).click()
      await page.getByLabel('Payload').fill('{\n  "binding": { "name": "Transactional" },\n}')
      await page.getByRole('button', { name: 'Line 3' }).waitFor()
    },
  },
  {
    name: 'key-config-peek',
    as: 'manager',
    path: `${path}?t=1`,
    act: (page) => page.getByText('Transactional').filter({ visible: true }).first().click(),
  },
  { name: 'key-config-delete', as: 'manager', path: `${path}?t=1`, act: menuItem('Transactional', 'Delete…') },
  { name: 'quickstart', as: 'manager', path: `${path}?t=2` },
  {
    name: 'quickstart-run',
    as: 'manager',
    path: `${path}?t=2&l=2`,
    act: async (page) => {
      await page.getByLabel('API key').fill(`carillon_test_00000000_${'0'.repeat(64)}_00000000`)
      await page.getByRole('button', { name: 'Run it here' }).click()
      await page.getByLabel('Response').waitFor()
    },
  },
]
