import { buildFixtures } from '@carillon/server/testing/fixtures'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ database, cast: { manager } }) => {
  const owner = { organizationId: manager.id, role: 'manager', token: '', username: 'manager' } as const
  await buildFixtures(database, { ...manager, ...owner })
})

test('on a phone the builder has a save bar at the bottom, and tabs for editor, preview and checks', async () => {
  const { page, context } = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto('/organization/manage-templates/create-sms')
  await settle(page)

  const save = page.getByRole('button', { name: 'Save template' })
  const bar = await save.boundingBox()
  expect(bar?.height).toBe(48)
  expect((bar?.y ?? 0) + 48).toBeGreaterThan(800)

  await page.getByRole('textbox', { name: 'Text' }).fill('Dear {#var#}, your order ships today. -Acme')
  await page.getByRole('tab', { name: 'Preview' }).click()
  const phone = page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' })
  await phone.getByText('your order ships today').waitFor()
  expect(await page.getByRole('textbox', { name: 'Text' }).isVisible()).toBe(false)

  await page.getByRole('tab', { name: /^Checks/ }).click()
  await page.getByRole('region', { name: 'Checks' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)

  // The error is in the editor, so saving returns to it.
  await save.click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toContain('your order ships today')
})
