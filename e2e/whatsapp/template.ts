import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export type TemplateText = {
  name: string
  /** The text around its two variables. */
  words: readonly [before: string, between: string, after: string]
  samples: readonly [string, string]
}

/** Creates a template in the builder, submits it, and waits for Meta's approval. */
export async function writeTemplate(page: Page, template: TemplateText) {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Template Management', exact: true })
    .click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^WhatsApp/ })
    .click()
  await page.getByRole('link', { name: 'New WhatsApp template', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(template.name)
  await page.getByRole('radio', { name: 'Utility' }).click()
  await writeBody(page, template)

  const [first, second] = template.samples
  await page.getByLabel('Sample for 1 in Body').fill(first)
  await page.getByLabel('Sample for 2 in Body').fill(second)
  const phone = page.getByRole('figure', { name: 'Preview of the message on the recipient’s phone' }).first()
  const [before, between, after] = template.words
  await expect.poll(() => phone.innerText()).toContain(`${before}${first}${between}${second}${after}`)

  await page.getByRole('button', { name: 'Submit to Meta' }).click()
  await page.getByRole('heading', { level: 1, name: 'WhatsApp templates' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: template.name })
  await row.getByText('Active · Quality pending').waitFor({ timeout: 30_000 })
}

/** The tool inserts the next variable at the caret. */
async function writeBody(page: Page, { words: [before, between, after] }: TemplateText) {
  const body = page.getByRole('textbox', { name: 'Text', exact: true })
  const addVariable = async (becomes: string) => {
    await page.getByRole('button', { name: 'Variable', exact: true }).click()
    await expect.poll(() => body.inputValue()).toBe(becomes)
  }
  await body.pressSequentially('Hi {{1}}, {{}} is ready', { delay: 0 })
  expect(await body.inputValue()).toBe('Hi {{1}}, {{2}} is ready')
  await body.fill(before)
  await addVariable(`${before}{{1}}`)
  await body.pressSequentially(between)
  await addVariable(`${before}{{1}}${between}{{2}}`)
  await body.pressSequentially(after)
  expect(await body.inputValue()).toBe(`${before}{{1}}${between}{{2}}${after}`)
}
