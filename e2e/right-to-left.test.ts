import { playStory } from '@carillon/server/demo/story'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeArabicWhatsapp, writeUrduSms } from './support/right-to-left-screens.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))
const templates = '/organization/manage-templates'

/** The direction of a text, and the side of its box on which its first line begins. */
function standingOf(place: Locator) {
  return place.evaluate((box) => {
    const range = document.createRange()
    range.selectNodeContents(box)
    const [line] = range.getClientRects()
    const { left, right } = box.getBoundingClientRect()
    const side = line && Math.abs(right - line.right) < Math.abs(line.left - left) ? 'right' : 'left'
    return { direction: getComputedStyle(box).direction, side }
  })
}

test('an Urdu SMS runs from right to left in its field, with its highlights and on the phone, and is counted as Unicode', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/create-sms`)
  await writeUrduSms(page)
  const field = page.getByRole('textbox', { name: /^Text/ })
  expect(await field.evaluate((box) => getComputedStyle(box).direction)).toBe('rtl')
  const marks = field.locator('xpath=preceding-sibling::div')
  expect(await marks.evaluate((box) => getComputedStyle(box).direction)).toBe('rtl')
  // Each variable is highlighted once, at its position in the text.
  expect(await marks.locator('span', { hasText: /^\{#\w+#\}$/ }).count()).toBe(2)

  const bubble = page
    .getByRole('figure', { name: /Preview of the message/ })
    .locator('.phone-bubble')
    .first()
  expect(await standingOf(bubble)).toEqual({ direction: 'rtl', side: 'right' })
  await page
    .getByText(/Unicode · 2 parts/)
    .first()
    .waitFor()

  await field.fill('Dear {#var#}, your order ships today.')
  expect(await standingOf(bubble)).toEqual({ direction: 'ltr', side: 'left' })
})

test('an Arabic WhatsApp template runs from right to left in its bubble, which stays on the side of the business', async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', `${templates}/whatsapp/whatsapp-template-creation`)
  await writeArabicWhatsapp(page)
  const phone = page.getByRole('figure', { name: /Preview of the message/ })
  expect(await standingOf(phone.locator('.is-body').first())).toEqual({ direction: 'rtl', side: 'right' })
  expect(await standingOf(phone.locator('.is-footer').first())).toEqual({ direction: 'rtl', side: 'right' })
  const [screen, bubble, time] = await Promise.all([
    edgesOf(phone),
    edgesOf(phone.locator('.phone-wa-bubble').first()),
    edgesOf(phone.locator('.phone-wa-meta time').first()),
  ])
  expect(bubble.left - screen.left).toBeLessThan(40)
  expect(bubble.right - time.right).toBeLessThan(20)
})

function edgesOf(place: Locator) {
  return place.evaluate((box) => {
    const { left, right } = box.getBoundingClientRect()
    return { left, right }
  })
}
