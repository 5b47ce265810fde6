import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import { buildAgent, receiveChats } from '@carillon/server/modules/conversations/test-agents'
import { buildLine } from '@carillon/server/modules/conversations/test-inbox'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

/** Who the tests are about; each test has people of its own. */
const site = useSite()

const path = '/organization/agents'
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const sheetOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const choose = async (page: Page, button: Locator, item: string) => {
  await button.click()
  await page.getByRole('menuitem', { name: item }).click()
}
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await site.stack.database.ownerPool.query<Row>(text, values)).rows

async function isAccessible(page: Page) {
  await settle(page)
  expect(await findViolations(page, {})).toEqual([])
}

/** A visitor whose input the server rejects at times. */
async function visitWithMistakes() {
  const visit = await site.visit()
  visit.allow(/400/)
  return visit
}

/** Creates an agent with the sheet; returns the one-time password. */
async function create(page: Page, { name, email }: { name: string; email: string }): Promise<string> {
  await page.getByRole('button', { name: 'Invite agent' }).first().click()
  const sheet = sheetOf(page, 'New agent')
  await sheet.getByRole('tab', { name: 'Create' }).click()
  await sheet.getByLabel('Name', { exact: true }).fill(name)
  await sheet.getByLabel('Email').fill(email)
  await sheet.getByLabel('Skills').fill('Tamil, Billing')
  await sheet.getByLabel('In all').fill('5')
  await sheet.getByRole('button', { name: 'Create agent' }).click()
  const password = await sheet.getByRole('button', { name: 'Copy the password' }).innerText()
  await sheet.getByRole('button', { name: 'Done' }).click()
  return password.trim()
}

test('the first agent is created, goes online, is changed and removed', async () => {
  const { page } = await visitWithMistakes()
  await openAs(page, 'manager', path)
  await page.getByRole('heading', { name: 'Invite your first teammate' }).waitFor()
  await isAccessible(page)
  const email = 'asha@acme.example'
  expect(await create(page, { name: 'Asha Rao', email })).toMatch(/^\w{16}$/)
  const row = rowOf(page, 'Asha Rao')
  await row.getByText('0 / 5').waitFor()
  await page.getByText('0 online').waitFor()

  await choose(page, row.getByRole('button', { name: 'Availability of Asha Rao' }), 'Online')
  await page.getByText('1 online').waitFor()
  await expect
    .poll(() => query(`select availability from live_agents where goes_offline`))
    .toEqual([{ availability: 'online' }])
  await page.reload()
  await page.getByText('1 online').waitFor()

  await row.getByText('Asha Rao', { exact: true }).click()
  const sheet = sheetOf(page, 'Asha Rao')
  await sheet.getByRole('img', { name: /^Availability: / }).waitFor()
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'View as table' }).click()
  await sheet
    .getByRole('row', { name: /^Offline / })
    .first()
    .waitFor()
  await sheet.getByRole('tab', { name: 'Metrics' }).click()
  await sheet.getByText('Late answers').waitFor()
  await isAccessible(page)
  await sheet.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Asha Rao' })
  await dialog.getByLabel('In all').fill('many')
  await dialog.getByRole('button', { name: 'Save agent' }).click()
  await dialog.getByText('Enter a whole number from 1 to 1,000').waitFor()
  await dialog.getByLabel('In all').fill('7')
  await dialog.getByLabel('Skills').fill('Hindi')
  await dialog.getByRole('button', { name: 'Save agent' }).click()
  await row.getByText('0 / 7').waitFor()

  await sheet.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove agent' }).click()
  await page.getByRole('heading', { name: 'Invite your first teammate' }).waitFor()
  expect(await query('select status from accounts where email = $1', [email])).toEqual([{ status: 'active' }])
})

test('an invited person is listed, and becomes an agent with the link', async () => {
  const { page } = await visitWithMistakes()
  await openAs(page, 'manager', path)
  await page.getByRole('button', { name: 'Invite agent' }).first().click()
  const sheet = sheetOf(page, 'New agent')
  await sheet.getByRole('button', { name: 'Send invitation' }).click()
  await sheet.getByText('Enter an e-mail address').waitFor()
  await sheet.getByLabel('Email').fill('ravi@acme.example')
  await sheet.getByLabel('Name', { exact: true }).fill('Ravi Kumar')
  await sheet.getByRole('button', { name: 'Send invitation' }).click()
  const link = (await sheet.getByRole('button', { name: 'Copy the link' }).innerText()).trim()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, 'Ravi Kumar').getByText('Invited').waitFor()

  const { page: invited } = await site.visit()
  await invited.goto(link)
  await invited.getByRole('textbox', { name: 'Your name' }).fill('Ravi Kumar')
  await invited.getByRole('textbox', { name: 'Username' }).fill('ravi.kumar')
  await invited.getByLabel('Password', { exact: true }).fill('paithani silk by the metre')
  await invited.getByRole('button', { name: /^Create .*account/ }).click()
  await invited.getByRole('heading', { level: 1 }).waitFor()
  await expect
    .poll(() => query(`select from live_agents live join accounts on id = account_id where username = 'ravi.kumar'`))
    .toHaveLength(1)
  await page.reload()
  await rowOf(page, 'Ravi Kumar').getByRole('button', { name: 'Availability of Ravi Kumar' }).waitFor()
  expect(await rowOf(page, 'Ravi Kumar').getByText('Invited').count()).toBe(0)
})

test('filters and the period are in the address; conversations of an agent lead to the inbox', async () => {
  const { database, cast } = site.stack
  const { user } = cast
  const account = { ...user, token: '', username: 'user' }
  await buildAgent(database, account, { availability: 'busy', capacity: 2 })
  const line = await buildLine(database, { ...cast.manager, token: '', username: 'manager' }, 'sms')
  const [chat] = await receiveChats(database, line, [{ from: '919845011107' }])
  await query('update conversations set assignee_id = $1 where id = $2', [user.id, chat])

  const { page } = await site.visit()
  await openAs(page, 'manager', `${path}?o=1&r=1`)
  await page.getByRole('button', { name: /Not online/ }).waitFor()
  expect(await page.getByRole('radio', { name: 'Last 7 days' }).getAttribute('aria-checked')).toBe('true')
  const name = (await query<{ name: string }>('select name from accounts where id = $1', [user.id]))[0]?.name ?? ''
  const row = rowOf(page, name)
  await row.getByText('1 / 2').waitFor()
  await row.getByText(name, { exact: true }).click()
  const held = sheetOf(page, name).getByRole('link', { name: '+91 98450 11107' })
  expect(await held.getAttribute('href')).toBe(`/organization/chats?c=${chat}`)
})

test('teams, business hours and canned replies are kept, and mistakes are shown at their fields', async () => {
  const { page } = await visitWithMistakes()
  await openAs(page, 'manager', `${path}?t=1`)
  await page.getByRole('button', { name: 'New team' }).click()
  const team = page.getByRole('dialog', { name: 'New team' })
  await team.getByLabel('Name').fill('Returns')
  await team.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('button', { name: 'Edit Returns' }).waitFor()
  await page.getByRole('button', { name: 'New team' }).click()
  await team.getByLabel('Name').fill('returns')
  await team.getByRole('button', { name: 'Create team' }).click()
  await team.getByText('Another team has this name').waitFor()
  await team.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Returns' }).click()
  await page.getByRole('button', { name: 'Delete team' }).click()
  await page.getByRole('heading', { name: 'Create your first team' }).waitFor()

  await page.getByRole('tab', { name: 'Assignment and hours' }).click()
  await page.getByRole('switch', { name: 'Automatic assignment' }).click()
  await page.getByRole('switch', { name: 'Business hours' }).click()
  await page.getByLabel('First answer').fill('30')
  await page.getByLabel('Monday until').fill('08:00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a time after the start').waitFor()
  await page.getByLabel('Monday until').fill('20:00')
  await isAccessible(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Settings saved').waitFor()
  await page.reload()
  expect(await page.getByLabel('Monday until').inputValue()).toBe('20:00')
  expect(await page.getByLabel('First answer').inputValue()).toBe('30')

  await page.getByRole('tab', { name: 'Canned replies' }).click()
  await page.getByRole('button', { name: 'New canned reply' }).first().click()
  const reply = page.getByRole('dialog', { name: 'New canned reply' })
  await reply.getByLabel('Shortcut').fill('two words')
  await reply.getByLabel('Text').fill('Hello ')
  await reply.getByRole('button', { name: /the person’s name/ }).click()
  await reply.getByText('Hello Asha Rao').waitFor()
  await reply.getByRole('button', { name: 'Save canned reply' }).click()
  await reply.getByText('Use letters, digits, - and _').waitFor()
  await reply.getByLabel('Shortcut').fill('hello')
  await reply.getByRole('button', { name: 'Save canned reply' }).click()
  await page.getByText('/hello', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete hello' }).click()
  await page.getByRole('button', { name: 'Delete canned reply' }).click()
  await page.getByRole('heading', { name: 'Create your first canned reply' }).waitFor()
})

test('users see their own row and what they may read, without the controls of managers', async () => {
  const client = await createClient(site.url, { username: 'user', password: demoPassword })
  await client.call('agents.own', {})
  const { page } = await site.visit()
  await openAs(page, 'user', '/user/agents')
  await page.getByRole('button', { name: /^Availability of / }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  for (const control of ['Invite agent', 'Edit…', 'Remove…'])
    expect(await page.getByRole('button', { name: control }).count()).toBe(0)
  await page
    .getByRole('row')
    .nth(1)
    .click({ position: { x: 60, y: 10 } })
  await page.getByRole('tab', { name: 'Metrics' }).waitFor()
  expect(await page.getByRole('button', { name: 'Edit…' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Assignment and hours' }).click()
  await page.getByText('Automatic assignment').waitFor()
  expect(await page.getByRole('switch').count()).toBe(0)
  await page.getByRole('tab', { name: 'Teams' }).click()
  await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
  expect(await page.getByRole('button', { name: 'New team' }).count()).toBe(0)
})

test('a failed load offers to retry, and a change that is refused is taken back', async ({ onTestFinished }) => {
  const visit = await site.keep()
  onTestFinished(({ task }) => site.end(visit, task))
  const { page } = visit
  await page.route('**/api/live-agent/agents?*', (route) => route.fulfill({ status: 500, body: '' }))
  await openAs(page, 'manager', path)
  await page.getByRole('alert').getByText('Failed to fetch agents').waitFor()
  await page.unroute('**/api/live-agent/agents?*')
  await page.getByRole('button', { name: 'Retry' }).click()
  const menu = page.getByRole('button', { name: /^Availability of / }).first()
  await menu.waitFor()
  const before = await menu.innerText()
  await page.route('**/availability', (route) => route.abort())
  await choose(page, menu, before.includes('Away') ? 'Busy' : 'Away')
  await expect.poll(() => menu.innerText()).toBe(before)
})

test('on a phone the row of tabs is scrolled to the chosen one', async () => {
  const { page } = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await openAs(page, 'manager', '/organization/agents?t=3')
  const box = await page.getByRole('tab', { name: 'Canned replies', selected: true }).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
})
