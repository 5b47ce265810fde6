import { asSystem } from '@carillon/server/db/pool'
import { issue, toUnits } from '@carillon/server/modules/balance/index'
import type { Page } from 'playwright-core'
import type { Stack } from '../support/stack.ts'

/** The reseller's initial balance from the admin. */
export async function fundReseller({ database, cast: { admin, reseller } }: Stack) {
  await asSystem(database, (db) =>
    issue(db, {
      issuer: { organizationId: admin.organizationId, accountId: admin.id },
      organizationId: reseller.organizationId,
      accountId: reseller.id,
      amount: toUnits(50_000),
      opKey: 'people:reseller',
      reference: 'Bought in advance',
    }),
  )
}

/** The available balance in the header. */
export const balanceOf = (page: Page) => page.getByRole('button', { name: /^Balance ₹/ })

export async function askForBalance(page: Page, { press, note }: { press: string; note: string }) {
  await balanceOf(page).click()
  await page.getByRole('button', { name: 'Top up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request top-up' })
  await dialog.getByRole('button', { name: press }).click()
  await dialog.getByLabel('Note').fill(note)
  await dialog.getByRole('button', { name: /^Request ₹/ }).click()
  await page.getByText('Balance Request Sent').waitFor()
}

export async function approve(page: Page, { name, amount }: { name: string; amount: string }) {
  await page.getByRole('button', { name: `Answer ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `${name} asks for ${amount}` })
  await dialog.getByRole('button', { name: 'Approve and move' }).click()
  await page.getByText(`${amount} moved to ${name}`).waitFor()
}
