import { connectClient } from '@carillon/simulator/testing'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(undefined, {}, { SMPP_PORT: '0' })

const path = '/organization/api-management'
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** Reads the password that is shown, and closes the dialog. */
async function takePassword(page: Page): Promise<{ systemId: string; password: string }> {
  const dialog = dialogOf(page, /^Password of /)
  const title = await dialog.getByRole('heading').innerText()
  const password = await dialog.getByLabel('Password', { exact: true }).innerText()
  await isAccessible(page)
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(password)
  return { systemId: title.replace('Password of ', ''), password }
}

async function createKey(page: Page, name: string) {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const sheet = dialogOf(page, 'Create API key')
  await sheet.getByLabel('Name', { exact: true }).fill(name)
  await sheet.getByRole('radio', { name: 'Test' }).check()
  await sheet.getByRole('checkbox', { name: /messages:send/ }).check()
  await sheet.getByRole('button', { name: 'Create key' }).click()
  const dialog = dialogOf(page, /^New key: /)
  await dialog.getByLabel('I have stored it').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function bind({ systemId, password }: { systemId: string; password: string }) {
  const client = await connectClient(site.stack.app.smpp?.port() ?? 0)
  const { command_status: status } = await client.request('bind_transceiver', { system_id: systemId, password })
  return { client, status }
}

test('credentials are added, send, get a new password and are deactivated', { timeout: 90_000 }, async () => {
  const { page, allow } = await site.visit()
  allow(/status of 400 .*smpp-credentials/)
  await openAs(page, 'manager', path)
  await createKey(page, 'SMPP gateway')
  await page.getByRole('row').filter({ hasText: 'SMPP gateway' }).click()
  const section = page.getByRole('region', { name: 'SMPP' })
  await section.getByText('No credentials').waitFor()
  await isAccessible(page)

  await section.getByRole('button', { name: 'Add credentials' }).click()
  const sheet = dialogOf(page, 'Add SMPP credentials')
  await sheet.getByRole('button', { name: 'Add credentials' }).click()
  await sheet.getByText('Enter at least one address or network').waitFor()
  await sheet.getByLabel('Allowed addresses').fill('127.0.0.1\n999.1.1.1')
  await sheet.getByRole('button', { name: 'Add credentials' }).click()
  await sheet
    .getByText(/999\.1\.1\.1/)
    .last()
    .waitFor()
  await sheet.getByLabel('Allowed addresses').fill('127.0.0.1')
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'Add credentials' }).click()
  const first = await takePassword(page)

  const { client, status } = await bind(first)
  expect(status).toBe(0)
  const { command_status, message_id } = await client.submit('919812345678', { source_addr: '' })
  expect(command_status).toBe(0)
  expect(await client.nextDelivery()).toMatchObject({ receipted_message_id: message_id, message_state: 2 })

  const group = section.getByRole('group', { name: first.systemId })
  await group.getByRole('button', { name: 'New password…' }).click()
  await dialogOf(page, `New password for ${first.systemId}?`)
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Create password' })
    .click()
  const second = await takePassword(page)
  expect((await bind(first)).status).toBe(0x0e)
  const again = await bind(second)
  expect(again.status).toBe(0)
  await page.reload()
  await group.getByText('2 of 2 bound').waitFor()
  await isAccessible(page)

  await group.getByRole('button', { name: 'Edit…' }).click()
  const edit = dialogOf(page, `Edit ${first.systemId}`)
  await edit.getByLabel('Sessions').fill('4')
  await edit.getByRole('button', { name: 'Save credentials' }).click()
  await group.getByText('2 of 4 bound').waitFor()

  await group.getByRole('button', { name: 'Deactivate…' }).click()
  await page.getByRole('button', { name: 'Deactivate credentials' }).click()
  await section.getByText('No credentials').waitFor()
  await Promise.all([client.closed, again.client.closed])
})
