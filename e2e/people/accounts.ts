import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openMenuOf } from '../support/screen-acts.ts'

export async function follow(page: Page, screen: string) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen, exact: true }).click()
}

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

export type Customer = { name: string; username: string; email: string }

/** Without a mail server, the first password is shown once to the account's creator. */
export async function createCustomer(page: Page, { name, username, email }: Customer): Promise<string> {
  await follow(page, 'Users Management')
  await page.getByRole('button', { name: 'Create account' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Create account' })
  await sheet.getByLabel('Business name').fill(name)
  await sheet.getByLabel('Email').fill(email)
  await sheet.getByLabel('Username').fill(username)
  await sheet.getByRole('button', { name: 'Create account' }).click()
  await sheet.getByText(`${username} was created`).waitFor()
  const password = await sheet.getByRole('button', { name: /^Copy the password/ }).innerText()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, name).waitFor()
  return password.trim()
}

/** Both balances are shown before and after the transfer, before it is made. */
export async function addBalance(page: Page, { name, amount, becomes }: Record<'name' | 'amount' | 'becomes', string>) {
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Add balance…' }).click()
  const dialog = page.getByRole('dialog', { name: `Add balance: ${name}` })
  await dialog.getByLabel('Amount').fill(amount)
  await expect.poll(() => dialog.getByRole('definition').first().innerText()).toMatch(becomes)
  await dialog.getByRole('button', { name: 'Add balance' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The password change at the first sign-in. */
export async function setOwnPassword(page: Page, { given, own }: { given: string; own: string }) {
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await page.getByLabel('Temporary password').fill(given)
  await page.getByLabel('New password').fill(own)
  await page.getByRole('button', { name: 'Set password and continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** The sheet of an account, beside the list. */
export async function peekAt(page: Page, name: string) {
  await rowOf(page, name).getByText(name).first().click()
  const sheet = page.getByRole('dialog', { name })
  await sheet.waitFor()
  return sheet
}

/** Toggles one of the account's modules and waits until it is saved. */
export async function takeModule(page: Page, { from, module }: { from: string; module: string }) {
  const sheet = await peekAt(page, from)
  await sheet.getByRole('tab', { name: 'Permissions' }).click()
  const kept = page.waitForResponse((response) => response.ok() && response.request().method() === 'POST')
  await sheet.getByRole('switch', { name: `${module} for ${from}` }).click()
  await kept
}

/** Approves a registration. */
export async function accept(page: Page, name: string) {
  await follow(page, 'Users Management')
  await openMenuOf(page, name)
  await page.getByRole('menuitem', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog', { name: `Accept ${name}` })
  await dialog.getByRole('button', { name: 'Accept account' }).click()
  await dialog.waitFor({ state: 'detached' })
}
