import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Partner, person, startPartner } from '@carillon/simulator/rbm/testing'
import { launchBrowser, openVisit, type Visit } from './support/browser.ts'

let browser: Browser
let partner: Partner
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
beforeEach(async () => {
  partner = await startPartner({ readShare: 0 })
})
/** The pages close first: they ask the simulator for what is new. */
let visits: Visit[] = []
afterEach(async () => {
  const closed = visits
  visits = []
  await Promise.all(closed.map(({ context }) => context.close()))
  await partner.close()
  expect(closed.flatMap(({ problems }) => problems)).toEqual([])
})

const phone = { viewport: { width: 390, height: 844 } }

async function openPhone(options: BrowserContextOptions = {}): Promise<Page> {
  const visit = await openVisit(browser, options)
  visits.push(visit)
  await visit.page.goto(`http://127.0.0.1:${partner.simulator.httpPort}/#${person}`)
  return visit.page
}

const picture = () => ({
  height: 'SHORT',
  contentInfo: { fileUrl: `http://127.0.0.1:${partner.simulator.httpPort}/rbm/images/hero.svg` },
})
const card = (title: string, description: string) => ({
  title,
  description,
  media: picture(),
  suggestions: [{ reply: { text: `Buy ${title}`, postbackData: `buy ${title}` } }],
})
const carousel = () => ({
  contentMessage: {
    richCard: {
      carouselCard: {
        cardWidth: 'MEDIUM',
        cardContents: [card('brass', 'Hand made'), card('clay', 'Long words '.repeat(20)), card('glass', 'Blown')],
      },
    },
    suggestions: [{ reply: { text: 'All lamps', postbackData: 'all' } }],
  },
})

test('a verified agent, its messages, and the person who reads, taps and answers', async () => {
  const { webhook } = partner
  const { body } = await partner.send(carousel())
  const id = String(body.name).split('/').at(-1)
  const page = await openPhone()
  const thread = page.getByRole('log', { name: 'RCS messages' })
  await page.getByRole('heading', { name: 'Acme Retail' }).waitFor()
  await page.getByRole('img', { name: 'Verified business' }).waitFor()
  expect(await webhook.waitForEvents('READ')).toMatchObject([{ messageId: id, senderPhoneNumber: `+${person}` }])

  await thread.getByRole('button', { name: 'All lamps' }).click()
  await thread.getByRole('button', { name: 'All lamps' }).waitFor({ state: 'detached' })
  await thread.getByRole('button', { name: 'Buy brass' }).click()
  await thread.getByRole('button', { name: 'Buy brass, chosen' }).waitFor()
  const taps = await webhook.waitForMessages(2)
  expect(taps).toMatchObject([
    { suggestionResponse: { postbackData: 'all', text: 'All lamps', type: 'REPLY' } },
    { suggestionResponse: { postbackData: 'buy brass', type: 'REPLY' } },
  ])

  await page.getByRole('textbox', { name: 'RCS message' }).fill('Do you ship to Pune?')
  await webhook.waitForEvents('IS_TYPING')
  await page.keyboard.press('Enter')
  expect((await webhook.waitForMessages(3))[2]).toMatchObject({ text: 'Do you ship to Pune?' })
  await partner.call(`POST asia/v1/phones/+${person}/agentEvents?eventId=${randomUUID()}&agentId=${partner.agentId}`, {
    eventType: 'IS_TYPING',
  })
  await thread.getByRole('img', { name: 'Acme Retail is typing' }).waitFor()
})

test('cards of a carousel have one height and are moved by buttons and keys', async () => {
  await partner.send(carousel())
  const page = await openPhone(phone)
  const strip = page.getByRole('region', { name: 'Cards' })
  const cards = strip.getByRole('group')
  await cards.first().waitFor()
  const heights = await cards.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
  expect(new Set(heights).size).toBe(1)

  const offset = () => strip.evaluate(({ scrollLeft }) => scrollLeft)
  await page.getByRole('button', { name: 'Next card' }).click()
  await expect.poll(offset).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Previous card' }).click()
  await expect.poll(offset).toBe(0)
  await strip.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(offset).toBeGreaterThan(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('the phone goes offline and unsubscribes', async () => {
  await partner.send({ contentMessage: { text: 'Welcome' } })
  const page = await openPhone(phone)
  const menu = page.getByLabel('Settings of this RCS chat')
  await menu.click()
  await page.getByRole('checkbox', { name: 'Phone is online' }).uncheck()
  await page.getByText('Phone is offline: messages wait').waitFor()
  await partner.send({ contentMessage: { text: 'Later' } })
  expect(partner.received()).toHaveLength(1)
  await menu.click()
  await page.getByRole('checkbox', { name: 'Phone is online' }).check()
  await page.getByRole('log', { name: 'RCS messages' }).getByText('Later').waitFor()

  await menu.click()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await partner.webhook.waitForEvents('UNSUBSCRIBE')
  expect(await partner.webhook.waitForMessages()).toMatchObject([{ text: 'STOP' }])
  await page.getByText('Unsubscribed', { exact: true }).waitFor()
})

test('a person writes first, and sends a picture', async () => {
  partner.control.people.write({ number: person, agentId: partner.simulator.rbm.newAgentId }, 'Hello')
  const page = await openPhone()
  await page.getByLabel('Write to another business').selectOption({ label: 'Acme Retail · RCS' })
  await page.getByText('Send a message to Acme Retail to start a chat.').waitFor()
  await page.getByLabel('Picture to send').setInputFiles({
    name: 'lamp.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  })
  expect(await partner.webhook.waitForMessages(2)).toMatchObject([
    { text: 'Hello' },
    { userFile: { payload: { mimeType: 'image/png', fileName: 'lamp.png' } } },
  ])
})
