import type { Page } from 'playwright-core'

export type WizardStep = 'audience' | 'template' | 'personalise' | 'failover' | 'review'

/** Opens a draft of the demo at one of its steps; for SMS, the one whose file has errors. */
export async function openDraft(page: Page, step: WizardStep, name = 'Diwali early access') {
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const steps = page.getByRole('navigation', { name: 'Steps' })
  const label = `${step.charAt(0).toUpperCase()}${step.slice(1)}`
  await steps
    .getByRole('link', { name: label })
    .or(steps.getByRole('button', { name: label }))
    .filter({ visible: true })
    .click()
  await page
    .getByText(/after$|short$/)
    .filter({ visible: true })
    .first()
    .waitFor()
}

/** The menu of a row, on either kind of list. */
export async function openMenuOf(page: Page, name: string) {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .filter({ visible: true })
    .first()
    .click()
  await page.getByRole('menu').waitFor()
}

export async function openFirstCampaign(page: Page) {
  await page.getByRole('row').filter({ hasText: 'Monsoon clearance' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('dialog').waitFor()
}

export async function leaveMenuOpen(page: Page) {
  await page
    .getByRole('button', { name: /^Account / })
    .filter({ visible: true })
    .click()
  await page.getByRole('menu').waitFor()
}

export async function typeNumber(page: Page, number: string) {
  await page.getByLabel('Phone number').fill(number)
  await page.getByRole('button', { name: 'Look up' }).click()
}
