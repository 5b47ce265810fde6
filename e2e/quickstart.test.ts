import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fateOf, magicPrefix } from '@carillon/server/modules/sandbox/fates'
import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import type { PublicMessage } from '@carillon/contract/public-message-records'
import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator }) => {
  const manager = await createClient(url, { username: 'manager', password: demoPassword })
  for (const header of ['ACMEAA', 'ACMEBB']) {
    const { _id: id } = await manager.call<SmsAccount>('smsAccounts.create', {
      body: {
        name: `Route of ${header}`,
        provider: 'smpp',
        headers: [header],
        entityId: '1101234567890123456',
        ratePerSecond: 50,
        config: { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' },
      },
    })
    await manager.call('smsAccounts.activate', { body: { id, isActive: true } })
  }
})
const run = promisify(execFile)

const path = '/organization/api-management?t=2'

let keys = 0

async function createKey(environment: ApiEnvironment): Promise<string> {
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { secret } = await manager.call<{ secret: string }>('apiKeys.create', {
    body: { name: `Quickstart ${(keys += 1)}`, environment, scopes: ['balance:read', 'messages:send'] },
  })
  return secret
}

const programs = {
  curl: (text: string) => run('sh', ['-c', `${text} --silent --write-out '%{http_code}'`]),
  JavaScript: (text: string) => run(process.execPath, ['--input-type=module', '-e', text]),
  Python: (text: string) => run('python3', ['-c', text]),
}

test('the first call works as it is pasted, in every language, and here', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  const text = page.getByLabel(/^Make the first call with /)
  await text.getByText('$CARILLON_KEY').waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
  expect(await page.getByRole('button', { name: 'Run it here' }).count()).toBe(0)

  const secret = await createKey('test')
  await page.getByLabel('API key').fill(secret)
  for (const [language, execute] of Object.entries(programs)) {
    await page.getByRole('tab', { name: language, exact: true }).first().click()
    const { stdout } = await execute(await text.innerText())
    expect(stdout).toContain('200')
    expect(stdout).toContain('25000')
  }
  await page.getByRole('button', { name: 'Run it here' }).click()
  await page.getByLabel('Response').getByText('25000').first().waitFor()
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])

  await page.reload()
  expect(await page.getByRole('tab', { name: 'Python' }).first().getAttribute('aria-selected')).toBe('true')
  expect(await page.getByLabel('API key').inputValue()).toBe('')
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(secret)
})

test('a message is sent as pasted, and a repeat in any language sends nothing', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${path}&e=1`)
  await page.getByLabel('API key').fill(await createKey('live'))
  const step = page.getByRole('region', { name: 'Send a message' })
  await step.getByLabel('Sender').selectOption('ACMEBB')
  const text = step.getByLabel(/^Send a message with /)
  const ids = new Set<string>()
  for (const [language, execute] of Object.entries(programs)) {
    await step.getByRole('tab', { name: language, exact: true }).click()
    const { stdout } = await execute(await text.innerText())
    expect(stdout).toContain('200')
    expect(stdout).toContain('Route of ACMEBB')
    ids.add(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(stdout)?.[0] ?? '')
  }
  expect(ids.size).toBe(1)
  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { messages } = await manager.call<{ messages: PublicMessage[] }>('publicMessages.list')
  expect(messages).toMatchObject([{ id: [...ids][0], to: '+919999900008', text: 'Your order has been shipped' }])
})

test('a test key sends to the sandbox', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  await page.getByLabel('API key').fill(await createKey('test'))
  const text = page.getByLabel('Send a message with curl')
  const { stdout } = await programs.curl(await text.innerText())
  expect(stdout).toContain('200')
  expect(stdout).toContain('"status":"queued"')
})

test('only a whole key of the environment is filled in', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  const field = page.getByLabel('API key')
  await field.fill("carillon_test_'; rm")
  await page.getByText('This is not a whole key. Keys begin with carillon_').waitFor()
  await field.fill(await createKey('live'))
  await page.getByText('This is a live key').waitFor()
  await page
    .getByLabel(/^Make the first call with /)
    .getByText('$CARILLON_KEY')
    .waitFor()
  await page.getByRole('radio', { name: 'Live' }).click()
  await page.getByText('This is a live key').waitFor({ state: 'detached' })
})

test('the numbers of the sandbox are those with a result of their own', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', path)
  const table = page.getByRole('table')
  await table.waitFor()
  const all = Array.from({ length: 100 }, (_, index) => `${magicPrefix}${String(index).padStart(2, '0')}`)
  const usual = fateOf({ phone: Number(`${magicPrefix}99`), isLeg: false })
  const special = all.filter(
    (number) => JSON.stringify(fateOf({ phone: Number(number), isLeg: false })) !== JSON.stringify(usual),
  )
  expect(await table.getByRole('button').allInnerTexts()).toEqual(special.map((number) => `+${number}`))
})
