import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { openAs } from './support/sign-in.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))
const templates = '/organization/manage-templates'

test('an unsaved SMS template is restored after the tab was closed, and can be discarded', async () => {
  const { page, context, allow } = await site.visit()
  // A session cannot be set before the new tab has an address.
  allow(/sessionStorage/)
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto(`${templates}/create-sms`)
  const text = page.getByRole('textbox', { name: /^Text/ })
  await text.fill('Dear {#var#}, your parcel is here.')
  await page.getByText(/^Draft saved \d/).waitFor()
  await page.close()

  const next = await context.newPage()
  await next.goto(`${templates}/create-sms`)
  await next.getByText(/^Your unsaved draft from .* is open again\.$/).waitFor()
  const again = next.getByRole('textbox', { name: /^Text/ })
  expect(await again.inputValue()).toBe('Dear {#var#}, your parcel is here.')
  await next.getByRole('button', { name: 'Discard draft' }).click()
  expect(await again.inputValue()).toBe('')
  await next.reload()
  await again.waitFor()
  expect(await again.inputValue()).toBe('')
})

test('a draft of a template that was changed meanwhile asks which version to use', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/sms`)
  await openMenuOf(page, 'order_update')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const text = page.getByRole('textbox', { name: /^Text/ })
  await text.waitFor()
  const before = await text.inputValue()
  await text.fill(`${before} Mine.`)
  await page.getByText(/^Draft saved \d/).waitFor()

  const manager = await createClient(site.url, { username: 'manager', password: demoPassword })
  const { templates: all } = await manager.call<{ templates: Record<string, unknown>[] }>('smsTemplates.list', {})
  const { _id: id, ...template } = all.find(({ name }) => name === 'order_update') ?? {}
  const fields = ['name', 'smsAccountId', 'header', 'category', 'language', 'variables', 'dltTemplateId', 'status']
  const kept = Object.fromEntries(fields.flatMap((field) => (template[field] ? [[field, template[field]]] : [])))
  await manager.call('smsTemplates.update', { body: { ...kept, id, body: `${before} Theirs.` } })

  await page.reload()
  await page.getByText(/changed in another tab or by someone else since/).waitFor()
  expect(await text.inputValue()).toBe(`${before} Theirs.`)
  await page.getByRole('button', { name: 'Use my draft' }).click()
  expect(await text.inputValue()).toBe(`${before} Mine.`)
})

test('a WhatsApp template without a name survives a reload; with a name the same draft continues', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/whatsapp/whatsapp-template-creation`)
  const text = page.getByRole('textbox', { name: /^Text/ })
  await text.fill('Hi, your order ships today.')
  await page.getByText(/^Draft saved \d/).waitFor()
  await page.reload()
  await page.getByText(/is open again\.$/).waitFor()
  expect(await text.inputValue()).toBe('Hi, your order ships today.')

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('ships_today')
  const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET' && /waba/.test(answer.url()))
  expect((await saved).ok()).toBe(true)
  await page.getByText(/^Draft saved \d/).waitFor()
  await page.reload()
  await text.waitFor()
  expect(await text.inputValue()).toBe('Hi, your order ships today.')
})

test('errors of a button or a sample of a WhatsApp template are shown at the field', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/whatsapp/whatsapp-template-creation`)
  await page.getByRole('textbox', { name: /^Text/ }).fill('Hi {{1}}, your order ships today.')
  await page.getByRole('button', { name: 'Add button' }).click()
  await page.getByRole('menuitem', { name: 'Quick reply' }).click()
  await page.getByRole('button', { name: 'Submit to Meta' }).click()
  for (const [name, message] of [
    ['Label of button 1', 'Enter what the button says'],
    ['Sample for 1 in Body', 'Enter a sample for {{1}}'],
  ] as const) {
    const field = page.getByLabel(name)
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const id = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`[id="${id}"]`).innerText()).toBe(message)
  }
})

test('an approved WhatsApp template is used in a campaign from the list', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/whatsapp`)
  await openMenuOf(page, 'store_opening')
  expect(await page.getByRole('menuitem', { name: 'Use in campaign' }).getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  await openMenuOf(page, 'order_shipped')
  await page.getByRole('menuitem', { name: 'Use in campaign' }).click()
  await page.getByRole('heading', { level: 1, name: /^WhatsApp campaign/ }).waitFor()
  await page.getByText('Your order is on its way').first().waitFor()
})

test('the library links from a rejected template of any channel to its editor', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager')
  await page.goto(templates)
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByRole('link', { name: 'Fix weekend_lottery · en' }).click()
  await page.getByRole('heading', { level: 1, name: 'weekend_lottery' }).waitFor()
  await page.getByRole('button', { name: 'Submit to Meta' }).waitFor()
})
