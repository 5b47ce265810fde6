import type { Page } from 'playwright-core'
import { openMenuOf } from './screen-acts.ts'
import type { Shot } from './shot.ts'

const families = '/organization/manage-templates/unified'

const peek = async (page: Page) => {
  await page.getByText('Order shipped').filter({ visible: true }).first().click()
  await page.getByRole('dialog').getByText('Your order is on its way').waitFor()
}

const edit = async (page: Page) => {
  await openMenuOf(page, 'Order shipped')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Save family' }).waitFor()
}

const remove = async (page: Page) => {
  await openMenuOf(page, 'Order shipped')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').waitFor()
}

/** A new family: one channel follows the text, another searches a template. */
const begin = async (page: Page) => {
  await page.getByLabel('Shared text').fill('Hi {{name}}, your order {{order}} ships today. 🎉')
  await page.getByRole('radio', { name: 'Shared text' }).first().click()
  const other = page.getByRole('tab', { name: 'WhatsApp' })
  if (await other.isVisible()) await other.click()
  await page.getByRole('radio', { name: 'Template' }).last().click()
  await page.getByRole('list', { name: 'WhatsApp templates' }).waitFor()
}

/** Template families: the list, a family with its phones, and the builder. */
export const familyShots: readonly Shot[] = [
  { name: 'families', as: 'manager', path: families },
  { name: 'families-empty', as: 'manager2', path: families },
  { name: 'families-none', as: 'manager', path: `${families}?q=7a7a7a` },
  { name: 'families-denied', as: 'department-head', path: '/department-head/manage-templates/unified' },
  { name: 'family-peek', as: 'manager', path: families, act: peek },
  { name: 'family-edit', as: 'manager', path: families, act: edit },
  { name: 'family-delete', as: 'manager', path: families, act: remove },
  { name: 'family-new', as: 'manager', path: `${families}?v=1`, act: begin },
  {
    name: 'family-incomplete',
    as: 'manager',
    path: `${families}?v=1`,
    act: (page) => page.getByRole('button', { name: 'Save family' }).click(),
  },
]
