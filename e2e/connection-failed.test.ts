import { newId } from '@carillon/server/lib/ids'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import type { Stack } from './support/stack.ts'
import { useSite } from './support/visits.ts'

/** Marks the account as the engine does if the provider refuses its credentials. */
async function failConnections({ database, cast }: Stack) {
  const failure = JSON.stringify({ code: '190', detail: 'The access token expired', at: '2026-01-05T09:00:00.000Z' })
  for (const [channel, provider, name] of [
    ['whatsapp', 'cloud-api', 'Acme Retail WhatsApp'],
    ['sms', 'smpp', 'Operator with a rather long name that has to be cut somewhere'],
  ])
    await database.ownerPool.query(
      `insert into provider_accounts (organization_id, id, channel, provider, name, config, secrets, callback_key, failure)
      values ($1, $2, $3, $4, $5, '{}', ''::bytea, $6, $7)`,
      [cast.manager.id, newId(), channel, provider, name, newId(), failure],
    )
}

const site = useSite(failConnections)

test.each([
  ['manager', 'desktop', { width: 1440, height: 900 }],
  ['manager', 'phone', { width: 390, height: 844 }],
  ['user', 'desktop', { width: 1440, height: 900 }],
  ['user', 'phone', { width: 390, height: 844 }],
])('%s sees a refused connection on the overview, on a %s', async (username, kind, viewport) => {
  const { page, context } = await site.visit({ viewport })
  await takeSession(context, { url: site.url, username })
  await page.goto(username === 'manager' ? '/organization' : '/user')
  await settle(page)
  await page.getByText('2 connections can’t send').waitFor()
  await page.getByText('The provider rejects the credentials. Messages are held until they are fixed.').waitFor()
  const pictures = process.env['PICTURES']
  if (pictures) await page.screenshot({ path: `${pictures}/${username}-${kind}-light.png`, fullPage: true })
  expect(await findViolations(page)).toEqual([])
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await settle(page)
  if (pictures) await page.screenshot({ path: `${pictures}/${username}-${kind}-dark.png`, fullPage: true })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)

  await page.getByRole('link', { name: 'Acme Retail WhatsApp' }).click()
  await page.waitForURL(/\/channels\/whatsapp/)
})

test.each([
  ['department-head', '/department-head'],
  ['manager2', '/organization'],
])('%s, who cannot fix it or has none, sees no card', async (username, path) => {
  const { page, context } = await site.visit()
  await takeSession(context, { url: site.url, username })
  await page.goto(path)
  await settle(page)
  expect(await page.getByText('Needs attention').count()).toBe(0)
})
