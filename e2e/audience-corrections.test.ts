import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDraft } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

const focusedLabel = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return (
      element?.getAttribute('aria-label') ??
      (element instanceof HTMLInputElement ? element.labels?.[0]?.innerText : element?.tagName)
    )
  })

async function openAudience(page: Page) {
  await page.goto('/organization/campaigns')
  await settle(page)
  await openDraft(page, 'audience')
  await page.getByRole('heading', { name: /left out$/ }).waitFor()
}

async function picture(page: Page, name: string) {
  const pictures = process.env['PICTURES']
  if (!pictures) return
  await page.getByRole('heading', { name: /left out$/ }).scrollIntoViewIfNeeded()
  for (const [width, theme] of [
    [1440, 'light'],
    [390, 'light'],
    [1440, 'dark'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 1056 })
    await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), theme === 'dark')
    await page.getByRole('heading', { name: /left out$/ }).evaluate((element) => element.scrollIntoView())
    await page.screenshot({ path: `${pictures}/corrections-${name}-${theme}-${width}.png` })
  }
  await page.evaluate(() => document.documentElement.classList.remove('dark'))
  await page.setViewportSize({ width: 1440, height: 1056 })
}

test(
  'rejected numbers are corrected by keyboard and automatically, and corrections are undone',
  { timeout: 120_000 },
  async () => {
    const { page, context, allow } = await site.visit({ viewport: { width: 1440, height: 1056 } })
    await takeSession(context, { url: site.url, username: 'manager' })
    await openAudience(page)
    const section = page.getByRole('region', { name: /left out$/ })
    const row = (name: string) => section.getByRole('row').filter({ hasText: name })
    const heading = async () => section.getByRole('heading').innerText()
    const before = await heading()
    const count = (text: string) => Number(/\d+/.exec(text)?.[0])
    await section.getByText('Skipped unless fixed').waitFor()
    await picture(page, 'before')
    await section.getByRole('button', { name: /^Show \d+ more$/ }).click()

    // Enter applies the number and moves to the next field.
    const fields = section.getByRole('textbox')
    const names = await fields.evaluateAll((inputs) =>
      inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.innerText),
    )
    expect(names.length).toBeGreaterThan(1)
    await fields.first().fill('93700 01110')
    await page.keyboard.press('Enter')
    expect(await focusedLabel(page)).toBe(names[1])
    // Input during the check of the rows is sent afterwards.
    await page.keyboard.type('12')
    allow(/400/)
    await page.keyboard.press('Enter')
    await row('(empty)').getByText('Fixed').waitFor()
    await section.getByText('The number is too short').filter({ visible: true }).first().waitFor()
    expect(await focusedLabel(page)).not.toBe('BODY')
    expect(count(await heading())).toBe(count(before) - 1)
    await picture(page, 'typed')

    await section.getByRole('button', { name: 'Fix 2 automatically' }).click()
    await section.getByRole('button', { name: 'Undo 2 automatic fixes' }).waitFor()
    await expect.poll(async () => count(await heading())).toBe(count(before) - 3)
    await row('93700O1101').getByText('Fixed automatically').waitFor()
    await picture(page, 'automatic')

    // Both can be undone; the focus moves to the field that reappears.
    await section.getByRole('button', { name: 'Undo 2 automatic fixes' }).click()
    await section.getByRole('button', { name: 'Fix 2 automatically' }).waitFor()
    await section.getByRole('button', { name: /^Undo the correction of row/ }).click()
    await expect.poll(heading).toBe(before)
    await expect.poll(() => focusedLabel(page)).toBe(names[0])

    // One suggestion alone.
    await row('93700O1101')
      .getByRole('button', { name: /^Use \+91 93700 01101 for row/ })
      .click()
    await row('93700O1101').getByText('Fixed', { exact: true }).waitFor()
    await expect.poll(() => focusedLabel(page)).toMatch(/^Undo the correction of row/)
    await section.getByRole('button', { name: 'Fix 1 automatically' }).waitFor()
  },
)
