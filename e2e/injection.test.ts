import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { log, row, rows } from './support/inbox-page.ts'
import { buildInbox, type InboxWorld } from './support/inbox-world.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

let world: InboxWorld
const site = useSite(
  async (stack) => {
    world = await buildInbox(stack)
    // Agents are notified of messages.
    await world.client.call('agents.own')
    corpus.forEach(({ from, text, name }) => world.write(from, text, name))
  },
  { graph: { reviewMs: 300, pairLimit: false, throughput: 0 } },
)

/** What customers may send to break a page, each with a word to find it by. */
const corpus = [
  '<img src=x onerror="document.title=1"><b>bold</b><style>*{display:none}</style>',
  '<script>document.title="taken"</script>"><svg onload=alert(1)>',
  'javascript:alert(1) data:text/html,<script>alert(1)</script> vbscript:msgbox(1)',
  'invoice \u202efdp.exe\u2066 and \u2069 back',
  `e${'\u0301'.repeat(4000)}`,
  'pay\u200bpal \u200d\u2060\ufeff now',
  'W'.repeat(4000),
  '﷽'.repeat(900),
  'https://example.com/'.padEnd(2000, 'a'),
].map((payload, index) => ({
  word: `case${index}`,
  from: `91982061000${index}`,
  payload,
  text: `case${index} ${payload}`,
  name: `${payload.slice(0, 40)} ${index}`,
}))

/** Fails the test if a script of a message runs, or its markup becomes part of the page. */
async function expectNothingRan(page: Page) {
  expect(await page.locator('[onerror], [onload], script:not([src]), body style').count()).toBe(0)
  const protocols = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).protocol))
  expect(protocols.filter((protocol) => !/^(?:https?|tel):$/.test(protocol))).toEqual([])
  expect(await page.title()).toMatch(/^(?:\(\d+\) )?Conversations/)
}

/** Nothing is wider than its column. */
async function expectFits(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
}

const overflowOf = (box: Locator) => box.evaluate((element) => element.scrollWidth - element.clientWidth)

async function heightsOf(items: Locator): Promise<number[]> {
  return items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height))
}

test.each([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const)(
  'hostile messages are text in list, thread and search on a %s',
  { timeout: 120_000 },
  async (_, options) => {
    const { page } = await site.visit(options)
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error('A script ran'))))
    await openAs(page, 'manager', '/organization/chats?s=1')
    await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(Math.min(9, corpus.length))
    expect(new Set(await heightsOf(rows(page)))).toEqual(new Set([64]))
    await expectFits(page)
    await expectNothingRan(page)

    for (const { word, text } of corpus) {
      await page.getByRole('searchbox', { name: 'Name, number or text' }).fill(word)
      const results = page.getByRole('list', { name: 'Search results' })
      const result = results.getByRole('button', { name: word }).first()
      await result.waitFor()
      expect(Math.max(...(await heightsOf(results.getByRole('button'))))).toBeLessThan(90)
      expect(await overflowOf(results)).toBe(0)
      await result.click()
      const message = log(page).locator('.message-text').filter({ hasText: word }).first()
      await message.waitFor()
      // Not `toBe`, which would print the marks.
      expect((await message.evaluate((element) => element.textContent)) === text, word).toBe(true)
      expect(await overflowOf(log(page))).toBe(0)
      const [bubble, frame] = [await message.boundingBox(), await log(page).boundingBox()]
      expect((bubble?.x ?? 0) + (bubble?.width ?? 0)).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0))
      expect((await page.locator('section[aria-label^="Conversation with"] > header').boundingBox())?.height).toBe(56)
      await expectFits(page)
      await expectNothingRan(page)
      const back = page.getByRole('button', { name: 'Back to conversations' })
      if (await back.isVisible()) await back.click()
    }
  },
)

test('hostile messages are text in notifications', async () => {
  const { page } = await site.visit()
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => Promise.reject(new Error('A script ran'))))
  await openAs(page, 'manager', '/organization')
  await page.getByRole('button', { name: 'Notifications' }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('button', { name: 'View all' }).click()
  const drawer = page.getByRole('dialog', { name: 'Notifications' })
  for (const { word } of corpus) await drawer.getByText(word).first().waitFor()
  await drawer.getByText('<script>document.title="taken"</script>').first().waitFor()
  expect(Math.max(...(await heightsOf(drawer.getByRole('listitem'))))).toBeLessThan(100)
  expect(await overflowOf(drawer)).toBe(0)
  expect(await page.locator('[onerror], [onload], script:not([src]), body style').count()).toBe(0)
  expect(await page.title()).toMatch(/^Overview/)
})

test('a name that reverses text does not reverse what follows it', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/chats?s=1')
  const reversed = corpus.find(({ payload }) => payload.includes('\u202e'))
  const item = row(page, new RegExp(reversed?.word ?? '')).first()
  const [name, time] = [await item.locator('b').boundingBox(), await item.locator('time').boundingBox()]
  expect(time?.x ?? 0).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0))
  expect(await item.locator('time').innerText()).toMatch(/^(?:now|\d+ m)$/)
})
