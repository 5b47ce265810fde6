import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { linkTo } from './people/mail.ts'
import { follow } from './people/accounts.ts'
import { openMenuOf } from './support/screen-acts.ts'
import { openAs, signIn } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'

// No mail server: unsent mails stay in the table that the test reads.
const site = useSite(undefined, {}, { SMTP_URL: 'smtp://127.0.0.1:1' })

/** If `SHOTS` names a folder, screenshots of every state in both themes and widths are saved there. */
async function shoot(page: Page, name: string) {
  const folder = process.env['SHOTS']
  if (!folder) return
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.evaluate((isDark) => document.documentElement.classList.toggle('dark', isDark), colorScheme === 'dark')
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test(
  'a user changes the address; the new one confirms, and the old one can undo it',
  { timeout: 120_000 },
  async () => {
    const { page, allow } = await site.visit()
    const { page: mail, allow: allowMail } = await site.visit()
    allow(/40[01]/)
    allowMail(/400/)
    const [oldEmail, newEmail] = ['user@demo.test', 'renamed@demo.test']
    await openAs(page, 'user', '/user/general')
    await page.getByLabel('Email', { exact: true }).fill(newEmail)
    await page.getByLabel('Your password').fill('wrong')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Wrong password').waitFor()
    await shoot(page, 'settings-wrong')
    await page.getByLabel('Your password').fill(site.stack.password)
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Waiting for confirmation').waitFor()
    await shoot(page, 'settings-pending')
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('again').first().waitFor()

    await mail.goto((await linkTo(site.stack, oldEmail)) ?? '')
    await mail.getByRole('button', { name: 'Keep current address' }).waitFor()
    await shoot(mail, 'link-refuse')
    await mail.goto((await linkTo(site.stack, newEmail)) ?? '')
    await mail.getByRole('button', { name: 'Confirm email address' }).waitFor()
    expect(mail.url()).not.toContain('e=')
    await shoot(mail, 'link-confirm')
    await mail.getByRole('button', { name: 'Confirm email address' }).click()
    await mail.getByText('Email address confirmed').waitFor()
    await shoot(mail, 'link-confirmed')
    await mail.goto((await linkTo(site.stack, newEmail)) ?? '')
    await mail.getByText('This link is no longer valid').waitFor()
    await shoot(mail, 'link-over')

    await mail.goto((await linkTo(site.stack, oldEmail)) ?? '')
    await mail.getByRole('button', { name: 'Undo the change' }).waitFor()
    await shoot(mail, 'link-undo')
    await mail.getByRole('button', { name: 'Undo the change' }).click()
    await mail.getByText('The change was undone').waitFor()
    await mail.goto((await linkTo(site.stack, oldEmail)) ?? '')
    await mail.getByLabel('New password').fill('a garden behind the station')
    await mail.getByLabel('Confirm password').fill('a garden behind the station')
    await mail.getByRole('button', { name: 'Set new password' }).click()
    await mail.getByRole('button', { name: 'Go to the login' }).click()
    await signIn(mail, oldEmail, 'a garden behind the station')
    await mail.waitForURL('/user')
  },
)

test('a manager sees why the address of a user cannot be changed', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  await openAs(page, 'manager', '/organization/users')
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  expect(await page.getByLabel('Email', { exact: true }).isDisabled()).toBe(true)
  await page.getByText('someone who can open this account').waitFor()
  await shoot(page, 'edit-denied')
})

test(
  'an admin requests another address for an account, cancels it, and sets a one-time password',
  { timeout: 120_000 },
  async () => {
    const { page } = await site.visit()
    await openAs(page, 'admin')
    await follow(page, 'Users Management')
    const open = async (item: string) => {
      await openMenuOf(page, 'Acme Retail')
      await page.getByRole('menuitem', { name: item }).click()
    }
    await open('Edit…')
    await page.getByLabel('Email', { exact: true }).fill('acme@demo.test')
    await shoot(page, 'edit-new')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('We sent a link to confirm to acme@demo.test').waitFor()
    await open('Edit…')
    await page.getByText('Waiting for confirmation').waitFor()
    await shoot(page, 'edit-pending')
    await page.getByRole('button', { name: 'Cancel change' }).click()
    await page.getByText('Waiting for confirmation').waitFor({ state: 'detached' })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()

    await open('Set one-time password…')
    await shoot(page, 'one-time-ask')
    await page.getByRole('button', { name: 'Set one-time password' }).click()
    await page.getByRole('button', { name: /^Copy the password/ }).waitFor()
    await shoot(page, 'one-time-made')
  },
)
