import type { LiveAgent } from '@carillon/contract/live-agents'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { buildInbox, type InboxWorld } from './support/inbox-world.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

let world: InboxWorld
const site = useSite(
  async (stack) => {
    world = await buildInbox(stack)
  },
  { graph: { reviewMs: 300, pairLimit: false, throughput: 0 } },
)

const openManager = (page: Page) => openAs(page, 'manager', '/organization/chats')
const openUser = (page: Page) => openAs(page, 'user', '/user/chats')

const row = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name })
const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
const thread = (page: Page) => page.getByRole('region', { name: /^Conversation with/ })
const writeReply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ })

async function openChat(page: Page, name: string) {
  await row(page, name).click()
  await log(page).waitFor()
}

test(
  'a message reaches two agents, one answers and so takes it, and the other sees who did',
  { timeout: 60_000 },
  async () => {
    const { page: manager } = await site.visit()
    const { page: user } = await site.visit()
    await openManager(manager)
    await openUser(user)

    world.write('919820400001', 'Is the blue kurta back in stock?', 'Meera Nair')
    await row(manager, /Meera Nair/).waitFor()
    await openChat(manager, 'Meera Nair')
    await openChat(user, 'Meera Nair')
    await log(user).getByText('Is the blue kurta back in stock?').waitFor()

    await manager.getByText(/is viewing$/).waitFor()
    await writeReply(user).pressSequentially('Yes, since this *morning*')
    await manager.getByText(/is replying$/).waitFor()
    await user.keyboard.press('Enter')
    await log(user).getByText('took this conversation').waitFor()
    await log(manager).getByText('Yes, since this morning').waitFor()
    await manager
      .getByRole('button', { name: /^Assigned to .+, change$/ })
      .first()
      .waitFor()
    await expect.poll(() => world.received('919820400001')).toEqual(['Yes, since this *morning*'])

    world.write('919820400001', 'Then keep one for me')
    await log(user).getByText('Then keep one for me').waitFor()
    await log(manager).getByText('Then keep one for me').waitFor()
    await manager.getByRole('tab', { name: /^Mine/ }).click()
    await manager.getByText('You have no conversations').waitFor()
  },
)

test('an agent sees who took the conversation that they have open', async () => {
  const { page: manager } = await site.visit()
  const { page: user, allow } = await site.visit()
  // A conversation of another member is not found.
  allow(/404/)
  world.write('919820400002', 'Who can help me?', 'Farhan Sheikh')
  await openManager(manager)
  await openUser(user)
  await openChat(user, 'Farhan Sheikh')
  await openChat(manager, 'Farhan Sheikh')
  await thread(manager).getByRole('button', { name: 'Assign', exact: true }).click()
  await manager.getByRole('button', { name: /\(you\)|Assign to me/ }).click()
  await user.getByRole('heading', { name: 'Acme Retail took this conversation' }).waitFor()
  await row(user, /Farhan Sheikh/).waitFor({ state: 'detached' })
})

test(
  'a closed window leaves templates only; the answer to one opens it again, and what was typed is kept',
  { timeout: 60_000 },
  async () => {
    const { page } = await site.visit()
    const from = '919820400003'
    world.write(from, 'Where is my order?', 'Joseph Dias')
    await openManager(page)
    await openChat(page, 'Joseph Dias')
    await writeReply(page).fill('One moment, I will check')
    await world.closeWindow(from)
    // The conversation is sent again with its next change.
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
    await page.getByText('24-hour window closed. Only approved templates can restart it.').waitFor()
    await row(page, /Joseph Dias.*Window closed/).waitFor()
    await page.getByText('One moment, I will check').last().waitFor()

    await page.getByRole('button', { name: 'Choose another' }).click()
    await page.getByLabel('Search templates').fill('order_shipped')
    await page.getByRole('button', { name: /^order_shipped en/ }).click()
    await page.getByLabel('Variable 1').fill('Joseph')
    await page.getByLabel('Variable 2').fill('A-4821')
    await page.getByRole('button', { name: 'Send template' }).click()
    await expect.poll(() => page.getByText('Enter a value').count()).toBeGreaterThan(0)
    await page.getByLabel('Variable 3').fill('Friday')
    await page.getByLabel('Value of button 1').fill('A-4821')
    await page.getByRole('button', { name: 'Send template' }).click()
    await log(page)
      .getByText(/Hi Joseph, your order A-4821 left our store today/)
      .waitFor()
    await expect.poll(() => world.received(from).join()).toContain('Hi Joseph, your order A-4821')

    world.write(from, 'Thank you')
    await log(page).getByText('Thank you').waitFor()
    await expect.poll(() => writeReply(page).inputValue()).toBe('One moment, I will check')
  },
)

test(
  'offline, a reply waits; back online it is sent once, and no message is missing',
  { timeout: 90_000 },
  async () => {
    const { page, context, allow } = await site.visit()
    allow(/ERR_INTERNET_DISCONNECTED|WebSocket|websocket|Failed to load resource/)
    const from = '919820400004'
    world.write(from, 'Good morning', 'Devika Rao')
    await openManager(page)
    await openChat(page, 'Devika Rao')
    await context.setOffline(true)
    await writeReply(page).fill('Good morning, Devika')
    await page.keyboard.press('Enter')
    await log(page).getByText('Waiting to send').waitFor()

    for (let number = 1; number <= 40; number += 1) world.write(from, `Question ${number}`)
    await expect
      .poll(() => world.client.call<{ results: object[] }>('conversations.search', { query: { q: 'Question 40' } }))
      .toMatchObject({ results: [{}] })
    await context.setOffline(false)
    await log(page).getByText('Question 40', { exact: true }).waitFor({ timeout: 30_000 })
    await expect.poll(() => world.received(from)).toEqual(['Good morning, Devika'])
    await log(page).getByText('Waiting to send').waitFor({ state: 'detached' })
    const all = Array.from({ length: 40 }, (_, index) => `Question ${index + 1}`)
    await expect.poll(() => textsOf(page, 'Question')).toEqual(all)
  },
)

/** The texts of a thread that begin with a word, gathered while scrolling from its beginning to its end. */
async function textsOf(page: Page, word: string): Promise<string[]> {
  const found = new Set<string>()
  await log(page).evaluate((element) => element.scrollTo({ top: 0 }))
  for (let step = 0; step < 40; step += 1) {
    for (const text of await log(page)
      .getByText(new RegExp(`^${word} \\d+$`))
      .allInnerTexts())
      found.add(text)
    const isAtEnd = await log(page).evaluate((element) => {
      element.scrollBy({ top: 250 })
      return element.scrollTop + element.clientHeight >= element.scrollHeight - 2
    })
    await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))))
    if (isAtEnd && step > 4) break
  }
  for (const text of await log(page)
    .getByText(new RegExp(`^${word} \\d+$`))
    .allInnerTexts())
    found.add(text)
  return [...found]
}

test('the open list of an agent follows the lines that they are given', { timeout: 60_000 }, async () => {
  world.text('919820400021', 'By SMS')
  world.write('919820400022', 'By WhatsApp', 'Anita Rao')
  const { page: user, allow } = await site.visit()
  // The open conversation is of a line that they do not answer any more.
  allow(/404/)
  await openUser(user)
  await openChat(user, 'Anita Rao')
  await row(user, /919820400021|98204 00021/).waitFor()
  const { agents } = await world.client.call<{ agents: LiveAgent[] }>('agents.list', {})
  const agent = agents.find(({ name }) => name === 'Rohan Kulkarni')
  const lines = (await world.client.call<{ lines: { _id: string; channel: string }[] }>('conversations.lines', {}))
    .lines
  const give = (lineIds: string[]) =>
    world.client.call('agents.update', {
      path: { id: agent?._id ?? '' },
      body: { skills: [], teamIds: [], lineIds, maxOpen: null, perChannel: {} },
    })
  await give(lines.flatMap(({ _id, channel }) => (channel === 'sms' ? [_id] : [])))
  await row(user, /Anita Rao/).waitFor({ state: 'detached', timeout: 8000 })
  await row(user, /919820400021|98204 00021/).waitFor()
  await give([])
  await row(user, /Anita Rao/).waitFor({ timeout: 8000 })
})

test('a draft survives a reload', async () => {
  const { page } = await site.visit()
  world.write('919820400005', 'Hello', 'Lakshmi Iyer')
  await openManager(page)
  await openChat(page, 'Lakshmi Iyer')
  await writeReply(page).fill('A half-written answer')
  await row(page, /Lakshmi Iyer.*Draft A half-written answer/).waitFor()
  await page.reload()
  await expect.poll(() => writeReply(page).inputValue()).toBe('A half-written answer')
  await row(page, /Draft A half-written answer/).waitFor()
})

test('what customers write stays text', async () => {
  const { page } = await site.visit()
  const from = '919820400006'
  const name = '<img src=x onerror=alert(1)>'
  const texts = [
    '<script>alert(1)</script>',
    'javascript:alert(1) https://example.com/a?b=1. "><svg onload=alert(1)>',
    '=HYPERLINK("https://evil.example")',
    `e${'\u0301'.repeat(3000)}`,
    'مرحبا، متى يصل طلبي؟ 48213',
  ]
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error('A script ran'))))
  for (const text of texts) world.write(from, text, name)
  await openManager(page)
  await openChat(page, name)
  for (const text of texts.slice(0, 3)) await log(page).getByText(text.slice(0, 24)).first().waitFor()
  const links = log(page).getByRole('link')
  expect(
    await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])),
  ).toEqual([
    ['https://example.com/a?b=1', 'noopener noreferrer'],
    ['https://evil.example/', 'noopener noreferrer'],
  ])
  expect(await page.locator('script:not([src]), [onerror], [onload]').count()).toBe(0)
  const arabic = log(page).getByText('مرحبا')
  expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  // Marks above a letter are cut off at the edge of their bubble.
  const heights = await log(page)
    .locator('[data-item]')
    .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(120)
})

test('the keys move through the list, open, select and resolve', async () => {
  const { page } = await site.visit()
  world.write('919820400007', 'First', 'Asha Pillai')
  world.write('919820400008', 'Second', 'Binu Thomas')
  await openManager(page)
  await row(page, /Asha Pillai/).waitFor()
  await row(page, /Binu Thomas/).waitFor()
  await page.keyboard.press('f')
  await page.getByLabel('Status').selectOption('open')
  await page.keyboard.press('Escape')
  await row(page, /Asha Pillai/).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-chat'))).toBeTruthy()
  const first = await page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await log(page).waitFor()
  await page.keyboard.press('e')
  await expect.poll(() => row(page, first.slice(2, 12)).count()).toBe(0)
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.waitForURL('**/organization')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.waitForURL('**/chats')
})

test.each([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const)(
  'the screen is accessible on a %s, and search opens the thread around a message',
  { timeout: 60_000 },
  async (kind, options) => {
    const { page } = await site.visit(options)
    const [from, word] = kind === 'phone' ? ['919820400009', 'lamp'] : ['919820400010', 'bowl']
    world.write(from, `The parcel with the brass ${word} arrived broken`, `Kiran of the ${word}`)
    await openManager(page)
    await row(page, `Kiran of the ${word}`).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('searchbox', { name: 'Name, number or text' }).fill(`brass ${word}`)
    const found = page.getByRole('list', { name: 'Search results' }).getByRole('button', { name: `brass ${word}` })
    await found.first().click()
    await log(page).getByText(`The parcel with the brass ${word} arrived broken`).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByText('Note', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Send a new one')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add note' }).click()
    await log(page).getByText('Send a new one').waitFor()
    await log(page)
      .getByText(/^Note by you/)
      .waitFor()
  },
)
