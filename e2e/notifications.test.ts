import type { SmsAccount } from '@carillon/contract/channels/sms/sms-accounts'
import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import { asSystem } from '@carillon/server/db/pool'
import { notify, type NewNotification } from '@carillon/server/modules/notifications/index'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { chooseTheme } from './support/session-of.ts'
import { settle } from './support/screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator }) => {
  const manager = await createClient(url, { username: 'manager', password: demoPassword })
  const { _id: id } = await manager.call<SmsAccount>('smsAccounts.create', {
    body: {
      name: 'Main',
      provider: 'smpp',
      headers: ['ACMEIN'],
      ratePerSecond: 50,
      config: { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' },
    },
  })
  await manager.call('smsAccounts.activate', { body: { id, isActive: true } })
})

beforeEach(async () => {
  await site.stack.database.ownerPool.query(`delete from notifications; update accounts set preferences = '{}'`)
})

const conversation = '0199aaaa-0000-8000-8000-000000000001'

async function add(more: Partial<NewNotification> = {}): Promise<void> {
  const { manager } = site.stack.cast
  await asSystem(site.stack.database, (db) =>
    notify(db, [
      {
        organizationId: manager.organizationId,
        accountId: manager.id,
        kind: 'message_received',
        title: 'Asha Rao',
        description: 'Is my order on its way?',
        link: { type: 'conversation', id: conversation },
        eventKey: `message_received:${conversation}`,
        ...(more.kind ? {} : { merges: true }),
        ...more,
      },
    ]),
  )
}

const bell = (page: Page) => page.getByRole('button', { name: 'Notifications' })
const dot = (page: Page) => page.getByText('New notifications')
const entries = (page: Page) => page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')

type Recorded = { tones: number; asked: number; shown: { title: string; body?: string; tag?: string }[] }

/** Counts sounds, and replaces the desktop, which a browser without a screen does not have. */
async function record(context: BrowserContext, permission: 'default' | 'granted' | 'denied', answer = permission) {
  await context.addInitScript(
    ([first, next]) => {
      const recorded: Recorded = { tones: 0, asked: 0, shown: [] }
      class Desktop extends EventTarget {
        static permission = sessionStorage.getItem('test.permission') ?? first
        static async requestPermission() {
          recorded.asked += 1
          Desktop.permission = next
          sessionStorage.setItem('test.permission', next)
          return next
        }
        constructor(title: string, options: object) {
          super()
          recorded.shown.push({ title, ...options })
          Object.assign(globalThis, { lastOnDesktop: this })
        }
        close() {}
      }
      const { start } = OscillatorNode.prototype
      OscillatorNode.prototype.start = function count(...times) {
        recorded.tones += 1
        start.apply(this, times)
      }
      Object.assign(globalThis, { Notification: Desktop, recorded })
    },
    [permission, answer] as const,
  )
}

const recordedBy = (page: Page) =>
  // Set by the script above.
  page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded)

const hide = (page: Page) =>
  page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }))

/** Opens a page and waits for its socket: earlier incoming messages would not be pushed to it. */
async function openConnected(page: Page, path?: string) {
  const connected = new Promise<void>((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => (String(payload).startsWith('40') ? resolve() : undefined)),
    )
  })
  await openAs(page, 'manager', path)
  await connected
}

/** Changes a preference and waits until it is saved. */
async function prefer(page: Page, change: () => Promise<void>) {
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await change()
  await (await saved).finished()
}

/** Browsers play no sound before the first interaction. */
const touchPage = (page: Page) => page.getByRole('heading', { level: 1 }).click()

async function reply(text: string, number = '919812345670') {
  site.stack.simulator.reply({ number, to: 'ACMEIN', text })
}

test('an incoming message is at the top of the panel, plays a sound and shows a dot, which opening clears', async () => {
  const { page, context } = await site.visit()
  await record(context, 'default')
  await add({ kind: 'balance_low', title: 'Your balance is low', eventKey: 'low', link: { type: 'balance', id: 'x' } })
  await openConnected(page)
  await touchPage(page)
  await bell(page).click()
  await entries(page).getByText('Your balance is low').waitFor()
  await page.keyboard.press('Escape')
  expect(await dot(page).count()).toBe(0)

  await reply('Do you open on Sunday?')
  await dot(page).waitFor({ state: 'attached' })
  await expect.poll(async () => (await recordedBy(page)).tones).toBe(1)
  await bell(page).click()
  const top = entries(page).first()
  await top.getByText('Do you open on Sunday?').waitFor()
  await top.getByText('+91 98123 45670').waitFor()
  await top.getByText('new', { exact: true }).waitFor()
  expect(await top.getByRole('time').count()).toBe(1)
  expect(await dot(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(await dot(page).count()).toBe(0)

  const answer = await recordedBy(page)
  expect({ asked: answer.asked, shown: answer.shown }).toEqual({ asked: 0, shown: [] })
})

test('an entry that arrives while the panel is open is seen', async () => {
  const { page } = await site.visit()
  await openConnected(page)
  await bell(page).click()
  await page.getByText('No notifications yet').waitFor()
  await add()
  await entries(page).getByText('Is my order on its way?').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => dot(page).count()).toBe(0)
  await page.reload()
  await bell(page).click()
  await entries(page).getByText('Is my order on its way?').waitFor()
  expect(await entries(page).getByText('new', { exact: true }).count()).toBe(0)
})

test('stored messages of a conversation are one entry with their number, and stay read after a reload', async () => {
  const { page } = await site.visit()
  await openConnected(page)
  await add()
  await add({ kind: 'balance_low', title: 'Your balance is low', eventKey: 'low', link: { type: 'balance', id: 'x' } })
  await add({ description: 'And can I pay by card?' })
  await dot(page).waitFor({ state: 'attached' })
  await bell(page).click()
  await entries(page).first().getByText('And can I pay by card?').waitFor()
  await entries(page).first().getByText('2 new').waitFor()
  expect(await entries(page).count()).toBe(2)
  await page.keyboard.press('Escape')

  await page.reload()
  await bell(page).click()
  await entries(page).first().getByText('And can I pay by card?').waitFor()
  expect(await dot(page).count()).toBe(0)
  expect(await entries(page).getByText('2 new').count()).toBe(0)
  await page.getByRole('button', { name: 'View all' }).click()
  await page.getByRole('dialog').getByText('Today').waitFor()
})

test('a message that the server stores as well is one entry', async () => {
  const { page } = await site.visit()
  await openConnected(page)
  await reply('Hello')
  await dot(page).waitFor({ state: 'attached' })
  const { rows } = await site.stack.database.systemPool.query<{ id: string }>(
    `select id from conversations where identity = '919812345670'`,
  )
  const id = rows[0]?.id ?? ''
  await add({ description: 'Hello', link: { type: 'conversation', id }, eventKey: `message_received:${id}` })
  await bell(page).click()
  await entries(page).getByText('Asha Rao').waitFor()
  expect(await entries(page).count()).toBe(1)
})

test('without sounds none is played, and with messages off none is shown', async () => {
  const { page, context } = await site.visit()
  await record(context, 'default')
  await openConnected(page, '/organization/general?t=1')
  await prefer(page, () => page.getByRole('switch', { name: 'Sounds' }).click())
  await add()
  await dot(page).waitFor({ state: 'attached' })
  expect((await recordedBy(page)).tones).toBe(0)
  await bell(page).click()
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'Notifications' }).click()
  await prefer(page, () => page.getByRole('radio', { name: 'None' }).click())
  await reply('Not shown')
  await add({ kind: 'balance_low', title: 'Your balance is low', eventKey: 'low', link: { type: 'balance', id: 'x' } })
  await dot(page).waitFor({ state: 'attached' })
  await bell(page).click()
  await entries(page).getByText('Your balance is low').waitFor()
  expect(await entries(page).getByText('Not shown').count()).toBe(0)
  expect((await recordedBy(page)).tones).toBe(0)
})

test('the browser is asked when desktop notifications are turned on, and they appear while the page is hidden', async () => {
  const { page, context } = await site.visit()
  await record(context, 'default', 'granted')
  await openConnected(page, '/organization/general?t=1')
  const choice = page.getByRole('switch', { name: 'Desktop notifications' })
  await choice.waitFor()
  expect((await recordedBy(page)).asked).toBe(0)
  await choice.click()
  await expect.poll(() => choice.isChecked()).toBe(true)
  expect((await recordedBy(page)).asked).toBe(1)

  const low = { kind: 'balance_low', title: 'Your balance is low', description: '₹640 left' } as const
  const link = { type: 'balance', id: 'x' } as const
  await add({ ...low, link, eventKey: 'visible' })
  await expect.poll(async () => (await recordedBy(page)).tones).toBe(1)
  expect((await recordedBy(page)).shown).toEqual([])

  await hide(page)
  await add({ ...low, link, title: 'Your balance is still low', eventKey: 'hidden' })
  await add()
  await expect
    .poll(async () => (await recordedBy(page)).shown)
    .toEqual([
      expect.objectContaining({ title: 'Your balance is still low', body: '₹640 left' }),
      expect.objectContaining({ title: 'Asha Rao', tag: `message_received:${conversation}` }),
    ])

  await add({ ...low, link, title: 'Low again', eventKey: 'clicked' })
  await expect.poll(async () => (await recordedBy(page)).shown.length).toBe(3)
  await page.evaluate(() =>
    // Set by the script above.
    (globalThis as unknown as { lastOnDesktop: EventTarget }).lastOnDesktop.dispatchEvent(new Event('click')),
  )
  await page.waitForURL('**/organization/billing')
})

test('a browser that declines keeps desktop notifications off and says why', async () => {
  const { page, context } = await site.visit()
  await record(context, 'default', 'denied')
  await openConnected(page, '/organization/general?t=1')
  const choice = page.getByRole('switch', { name: 'Desktop notifications' })
  await choice.click()
  await page.getByText('Blocked by this browser.').waitFor()
  expect(await choice.isChecked()).toBe(false)
  expect(await choice.isDisabled()).toBe(true)
  const { rows } = await site.stack.database.ownerPool.query<{ preferences: object }>(
    `select preferences from accounts where username = 'manager'`,
  )
  expect(rows).toEqual([{ preferences: {} }])
})

test.each([
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('at %i pixels in the %s theme the panel, the drawer and the settings fit', async (width, theme) => {
  const { page, context } = await site.visit({ viewport: { width, height: 900 } })
  await chooseTheme(context, theme)
  const long = 'Is the order with the very long reference ACME-2026-000000000000000000000000000000000004821 on its way?'
  await add({ kind: 'balance_low', title: 'Your balance is low', eventKey: 'low', link: { type: 'balance', id: 'x' } })
  await add({
    kind: 'conversation_assigned',
    title: 'Conversation with Rohan Kulkarni',
    eventKey: 'a',
  })
  await add({ kind: 'conversation_mentioned', title: 'Meera Joshi mentioned you', eventKey: 'b' })
  await add({ count: 12, description: long })
  await add({ count: 140, title: 'Venkatasubramaniam Chatterjee-Ramakrishnan', eventKey: 'message_received:2' })
  await openConnected(page, '/organization/general?t=1')
  const pictures = process.env['PICTURES']
  const shoot = async (name: string) => {
    await settle(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${theme}-${width}.png` })
  }
  await page.getByRole('switch', { name: 'Desktop notifications' }).waitFor()
  await shoot('preferences')
  await page.getByRole('tab', { name: 'Notifications' }).click()
  await page.getByRole('radio', { name: 'Mine' }).waitFor()
  await shoot('settings')
  await bell(page).click()
  await entries(page).getByText('12 new').waitFor()
  await shoot('panel')
  await page.getByRole('button', { name: 'View all' }).click()
  await page.getByRole('heading', { level: 3, name: 'Today' }).waitFor()
  await shoot('drawer')
})
