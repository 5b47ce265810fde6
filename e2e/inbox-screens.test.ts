import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './support/axe.ts'
import { choose, log, openChat, replyField, row, rows } from './support/inbox-page.ts'
import { buildInbox, type InboxWorld } from './support/inbox-world.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

let world: InboxWorld
const site = useSite(
  async (stack) => {
    world = await buildInbox(stack)
    // Makes the account an agent, so that it can be mentioned.
    await (await createClient(stack.url, { username: 'user', password: demoPassword })).call('agents.own')
    await world.client.call('cannedReplies.create', { body: { shortcut: 'hello', text: 'Hello {{name}}.' } })
  },
  { graph: { reviewMs: 300, pairLimit: false, throughput: 0 } },
)

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const openInbox = (page: Page, username = 'manager', query = '?s=1') =>
  openAs(page, username, `/${username === 'manager' ? 'organization' : username}/chats${query}`)

const pixel = {
  name: 'kurta.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

// First, because later tests write to the inbox.
test('an empty inbox shows the numbers that customers write to, with a code to scan', async () => {
  const { page } = await site.visit()
  await openInbox(page, 'manager', '')
  await page.getByRole('heading', { name: 'Customers can write to you first' }).waitFor()
  const { lines } = await world.client.call<{ lines: { channel: string; addresses: string[] }[] }>(
    'conversations.lines',
  )
  const address = lines.find(({ channel }) => channel === 'whatsapp')?.addresses[0] ?? ''
  expect(address).toMatch(/^\+\d/)
  await page.getByRole('button', { name: `Copy ${address}` }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('img', { name: `QR code of https://wa.me/${address.replaceAll(/\D/g, '')}` }).waitFor()
})

test('keys that follow a completed mention or canned reply are typed after it', async () => {
  const { page } = await site.visit()
  world.write('919820600001', 'Is it there?', 'Priya Sharma')
  await openInbox(page)
  await openChat(page, 'Priya Sharma')
  await page.getByText('Note', { exact: true }).click()
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.pressSequentially('@Roh')
  await page.getByRole('option', { name: /Rohan Kulkarni/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('can you check?')
  expect(await note.inputValue()).toBe('@Rohan Kulkarni can you check?')
  await note.fill('')
  await page.getByText('Reply', { exact: true }).click()
  await replyField(page).pressSequentially('/hel')
  await page.getByRole('option', { name: /hello/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type(' Yes.')
  expect(await replyField(page).inputValue()).toBe('Hello Priya. Yes.')
})

test('a reply that is sent while reading above is shown', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  const from = '919820600002'
  for (let number = 1; number <= 40; number += 1) world.write(from, `Line ${number}`, 'Devika Rao')
  await openInbox(page)
  await openChat(page, 'Devika Rao')
  await log(page).evaluate((element) => element.scrollTo({ top: 0 }))
  await page.getByRole('button', { name: 'Newest messages' }).waitFor()
  await replyField(page).fill('Sent from above')
  await page.keyboard.press('Enter')
  await expect.poll(() => isInView(page, 'Sent from above')).toBe(true)
  // A file below the text takes room from the messages.
  await page.getByLabel('File to send').setInputFiles(pixel)
  await page.getByText('kurta.png').waitFor()
  await expect.poll(() => isInView(page, 'Sent from above')).toBe(true)
})

/** Whether a message is inside the visible part of the thread. */
async function isInView(page: Page, text: string): Promise<boolean> {
  const [message, frame] = [await log(page).getByText(text).boundingBox(), await log(page).boundingBox()]
  return message !== null && frame !== null && message.y + message.height <= frame.y + frame.height
}

test('on a phone a message is answered, reacted to and copied, and the page itself does not scroll', async () => {
  const { page, context } = await site.visit(phone)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const from = '919820600003'
  for (let number = 1; number <= 15; number += 1) world.write(from, `Message ${number}`, 'Farhan Sheikh')
  await openInbox(page)
  await openChat(page, 'Farhan Sheikh')
  await log(page).getByText('Message 15').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)

  const tools = page.getByRole('button', { name: 'Message actions' }).last()
  const box = await tools.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await tools.tap()
  await page.getByRole('button', { name: 'React with 👍' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'React with 👍' }).tap()
  await log(page).getByRole('list', { name: 'Reactions' }).getByText('👍').waitFor()
  await tools.tap()
  await page.getByRole('button', { name: 'Copy text' }).tap()
  await page.getByText('Copied').waitFor()
  await tools.tap()
  await page.getByRole('button', { name: 'Reply to this message' }).tap()
  await page.getByText('Reply to Farhan Sheikh').waitFor()
  await replyField(page).fill('Thank you')
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await expect.poll(() => world.received(from)).toContain('Thank you')
})

test('the values of a template that is refused stay in its form', { timeout: 60_000 }, async () => {
  const { page, allow } = await site.visit()
  allow(/409/)
  const from = '919820600004'
  world.write(from, 'No more, please', 'Joseph Dias')
  await openInbox(page)
  await row(page, 'Joseph Dias').waitFor()
  world.write(from, 'STOP')
  await row(page, /Joseph Dias.*STOP/).waitFor()
  await world.closeWindow(from)
  await openInbox(page)
  await openChat(page, 'Joseph Dias')
  const templates = page.getByRole('region', { name: 'Templates' })
  // Codes are sent by software.
  await templates.getByRole('listitem').first().waitFor()
  expect(await templates.getByText('login_code').count()).toBe(0)
  await page.getByRole('button', { name: 'Choose another' }).click()
  await page.getByLabel('Search templates').fill('login')
  await page.getByText('No templates match').waitFor()
  await page.getByLabel('Search templates').fill('order_shipped')
  await page.getByRole('button', { name: /^order_shipped en/ }).click()
  for (const [label, value] of [
    ['Variable 1', 'Joseph'],
    ['Variable 2', 'A-4821'],
    ['Variable 3', 'Friday'],
    ['Value of button 1', 'A-4822'],
  ] as const)
    await templates.getByLabel(label).fill(value)
  await templates.getByRole('button', { name: 'Send template' }).click()
  await templates.getByRole('alert').getByText('opted out').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await templates.getByLabel('Variable 2').inputValue()).toBe('A-4821')
  expect(await templates.getByLabel('Value of button 1').inputValue()).toBe('A-4822')
  expect(await log(page).getByText('Not sent').count()).toBe(0)
})

test('a department head attaches a file', async () => {
  const { page } = await site.visit()
  const from = '919820600005'
  world.write(from, 'Which colour is it?', 'Lakshmi Iyer')
  await openInbox(page, 'department-head')
  await openChat(page, 'Lakshmi Iyer')
  await page.getByLabel('File to send').setInputFiles(pixel)
  await page.getByText('70 B', { exact: true }).waitFor()
  await replyField(page).fill('This one')
  await page.keyboard.press('Enter')
  await log(page).getByRole('button', { name: 'Open This one' }).waitFor()
  await expect.poll(() => world.received(from).join()).toContain('This one')
})

test('a blocked person is unblocked from the composer', async () => {
  const { page } = await site.visit()
  world.write('919820600006', 'Hello', 'Rahul Bose')
  await openInbox(page)
  await openChat(page, 'Rahul Bose')
  await choose(page, 'Block…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await page.getByText('This person is blocked. Unblock them to reply.').waitFor()
  expect(await replyField(page).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Unblock' }).click()
  await replyField(page).waitFor()
})

test('a label that was typed and not added is saved', async () => {
  const { page } = await site.visit()
  world.write('919820600007', 'Hello', 'Kiran Shah')
  await openInbox(page)
  await openChat(page, 'Kiran Shah')
  await page.getByRole('button', { name: 'Edit labels' }).click()
  await page.getByLabel('Add a label').fill('torn dupatta')
  await page.getByRole('button', { name: 'Save labels' }).click()
  await page.getByRole('complementary', { name: 'Details' }).getByText('torn dupatta').waitFor()
})

test('resolving opens the next conversation, and is undone', async () => {
  const { page } = await site.visit({ reducedMotion: 'no-preference' })
  world.write('919820600008', 'First', 'Asha Pillai')
  world.write('919820600009', 'Second', 'Binu Thomas')
  await openInbox(page)
  await row(page, 'Binu Thomas').waitFor()
  await openChat(page, 'Asha Pillai')
  await page.getByRole('button', { name: 'Resolve' }).click()
  await row(page, 'Asha Pillai').waitFor({ state: 'detached' })
  expect(await page.getByRole('region', { name: 'Conversation with Asha Pillai' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'Asha Pillai').waitFor()
  await page.getByRole('region', { name: 'Conversation with Asha Pillai' }).waitFor()
  await log(page).getByText('reopened this conversation').waitFor()
})

test('conversations are selected by pressing them, resolved together, and that is undone', async () => {
  const { page } = await site.visit(phone)
  world.write('919820600010', 'One', 'Chitra Menon')
  world.write('919820600011', 'Two', 'Dev Anand')
  await openInbox(page)
  await row(page, 'Chitra Menon').waitFor()
  await row(page, 'Dev Anand').waitFor()
  const height = (await rows(page).first().boundingBox())?.height
  await page.getByRole('button', { name: 'Select', exact: true }).tap()
  await row(page, 'Chitra Menon').tap()
  await row(page, 'Dev Anand').tap()
  await page.getByText('2 selected').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect((await rows(page).first().boundingBox())?.height).toBe(height)
  await page.getByRole('region', { name: 'Selected conversations' }).getByRole('button', { name: 'Resolve' }).tap()
  await row(page, 'Chitra Menon').waitFor({ state: 'detached' })
  await row(page, 'Dev Anand').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await row(page, 'Chitra Menon').waitFor()
  await row(page, 'Dev Anand').waitFor()
})

test('a view of the list is saved with its filters, and leaves the open conversation out', async () => {
  const { page } = await site.visit()
  world.write('919820600012', 'Hello', 'Esha Nair')
  await openInbox(page)
  await openChat(page, 'Esha Nair')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Channel', { exact: true }).selectOption('whatsapp')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'Save this view…' }).click()
  const save = page.getByRole('dialog', { name: 'Save view' })
  await save.getByLabel('Name').fill('WhatsApp, newest')
  await save.getByLabel('Make this the default view').check()
  await save.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Views: WhatsApp, newest' }).waitFor()

  await page.goto('/organization')
  await page.goto('/organization/chats')
  await page.getByRole('button', { name: 'Views: WhatsApp, newest' }).waitFor()
  await page.getByRole('button', { name: 'Filters, 1 active' }).waitFor()
  await page.getByRole('button', { name: 'Newest', exact: true }).waitFor()
  expect(await page.getByRole('region', { name: /^Conversation with/ }).count()).toBe(0)
  await openChat(page, 'Esha Nair')
  // What is open is not part of the view.
  await page.getByRole('button', { name: 'Views: WhatsApp, newest' }).waitFor()
})

test('a reply that waits offline survives a reload and is sent once', { timeout: 60_000 }, async () => {
  const { page, context, allow } = await site.visit()
  allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|websocket|Failed to load resource/)
  const from = '919820600013'
  world.write(from, 'Are you there?', 'Gita Rao')
  await openInbox(page)
  await openChat(page, 'Gita Rao')
  // The page itself can be loaded again, as from the browser's cache; the server's calls cannot.
  await context.route(/\/api\/v1\/conversations\/[^/]+\/replies/, (route) => route.abort())
  await replyField(page).fill('One moment')
  await page.keyboard.press('Enter')
  await log(page).getByText('Waiting to send').waitFor()
  await page.reload()
  await log(page).getByText('One moment').waitFor()
  await log(page).getByText('Waiting to send').waitFor()
  await context.unroute(/\/api\/v1\/conversations\/[^/]+\/replies/)
  await page.reload()
  await log(page).getByText('Waiting to send').waitFor({ state: 'detached' })
  await expect.poll(() => world.received(from)).toEqual(['One moment'])
})

test('contacts are merged, split, and each is undone', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  world.write('919820600014', 'My old number', 'Hema Rao')
  world.write('919820600015', 'My new number', 'Hema R')
  await openInbox(page)
  await row(page, 'Hema R').first().waitFor()
  await row(page, 'Hema Rao').click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Merge…' }).click()
  await page.getByLabel('Search contacts').fill('Hema R')
  await page
    .getByRole('list', { name: 'Contacts' })
    .getByRole('button', { name: /98206 00015/ })
    .click()
  await details.getByRole('button', { name: 'Split +91 98206 00015' }).waitFor()
  await details.getByRole('heading', { name: 'Other conversations 1' }).waitFor()

  await details.getByRole('button', { name: 'Split +91 98206 00015' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Split' }).click()
  await details.getByRole('heading', { name: 'Contact 1' }).waitFor()
  await details.getByRole('button', { name: 'Undo split' }).click()
  await details.getByRole('heading', { name: 'Contact 2' }).waitFor()
  await details.getByRole('button', { name: 'Undo merge' }).click()
  await details.getByRole('heading', { name: 'Contact 1' }).waitFor()
})

test('a reply that could not be delivered is sent again', { timeout: 60_000 }, async () => {
  const { page } = await site.visit()
  const from = '919820600016'
  world.write(from, 'Hello', 'Indu Varma')
  await openInbox(page)
  await openChat(page, 'Indu Varma')
  const { people } = site.stack.simulator.graph.control
  people.describe(from, { isOnWhatsApp: false })
  await replyField(page).fill('Hello Indu')
  await page.keyboard.press('Enter')
  await log(page).getByText('Not sent').waitFor()
  people.describe(from, { isOnWhatsApp: true })
  await log(page).getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => world.received(from)).toEqual(['Hello Indu'])
})
