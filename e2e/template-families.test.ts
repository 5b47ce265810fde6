import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))
const families = '/organization/manage-templates/unified'
const manager = () => createClient(site.url, { username: 'manager', password: demoPassword })

test('one text is written for every channel, and each phone follows it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', families)
  await page.getByRole('button', { name: 'New family' }).click()
  await page.getByRole('button', { name: 'Save family' }).click()
  await page.getByText('Choose what at least one channel sends').waitFor()
  await expect.poll(() => page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')

  await page.getByLabel('Name', { exact: true }).fill('Store visit')
  const [sms, whatsapp] = [page.getByRole('region', { name: 'SMS' }), page.getByRole('region', { name: 'WhatsApp' })]
  for (const panel of [sms, whatsapp]) await panel.getByRole('radio', { name: 'Shared text' }).click()
  const text = page.getByLabel('Shared text')
  await text.fill('Hi {{name}}, thank you for visiting our *new store* today. 🎉 -Acme')
  await sms.getByRole('list', { name: 'Losses on SMS' }).getByText('Bold dropped').waitFor()
  await sms.getByText('Emoji needs Unicode').waitFor()
  await text.pressSequentially(' Retail')
  for (const panel of [sms, whatsapp]) await panel.getByText('Acme Retail').last().waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'Store visit' }).waitFor()

  const client = await manager()
  const query = { search: 'store' }
  const { templates } = await client.call<{ templates: object[] }>('smsTemplates.list', { query })
  expect(templates).toMatchObject([
    { name: 'Store visit', status: 'draft', body: expect.stringMatching(/^Hi \{#var#\}.*-Acme Retail$/) as string },
  ])
  const { data } = await client.call<{ data: object[] }>('waTemplates.list', { query: { search: 'store_visit' } })
  expect(data).toMatchObject([{ name: 'store_visit', status: 'DRAFT', parameterFormat: 'named' }])
})

test('a changed text is written to the same drafts, and an own template is chosen by a search', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', families)
  await openMenuOf(page, 'Store visit')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const whatsapp = page.getByRole('region', { name: 'WhatsApp' })
  await whatsapp.getByRole('link', { name: 'store_visit' }).waitFor()
  await page.getByLabel('Shared text').fill('Hi {{name}}, see you soon. -Acme')
  await whatsapp.getByRole('radio', { name: 'Template' }).click()
  await whatsapp.getByRole('button', { name: 'Change the template for WhatsApp' }).click()
  await whatsapp.getByRole('searchbox').fill('order_ship')
  await whatsapp.getByRole('button', { name: 'order_shipped · en' }).click()
  await whatsapp.getByText('Your order is on its way').waitFor()
  await page.getByRole('button', { name: 'Save family' }).click()
  const dialog = page.getByRole('dialog', { name: 'Store visit' })
  await dialog.getByText('Your order is on its way').waitFor()
  await dialog.getByText('Reply dropped').waitFor()

  const client = await manager()
  const { templates } = await client.call<{ templates: object[] }>('smsTemplates.list', { query: { search: 'store' } })
  expect(templates).toMatchObject([{ name: 'Store visit', body: 'Hi {#var#}, see you soon. -Acme' }])
})

test('the deletion of a template names the families that lose it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/manage-templates/sms')
  await openMenuOf(page, 'Store visit')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByText('It is removed from 1 template family: Store visit.').waitFor()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('Store visit is deleted').waitFor()
  await page.goto(families)
  await openMenuOf(page, 'Store visit')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete family' }).click()
  await page.getByText('Store visit is deleted').waitFor()
  await page.getByText('Order shipped').filter({ visible: true }).first().waitFor()
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Store visit' }).count()).toBe(0)
})

test('an unsaved family is open again after a reload', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${families}?v=1`)
  await page.getByLabel('Shared text').fill('Half a thought')
  await page.getByText(/^Draft saved \d/).waitFor()
  await page.reload()
  await page.getByText(/is open again\.$/).waitFor()
  expect(await page.getByLabel('Shared text').inputValue()).toBe('Half a thought')
})
