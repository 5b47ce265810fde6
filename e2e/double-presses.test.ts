import { endpoints, type EndpointName } from '@carillon/contract'
import { asSystem } from '@carillon/server/db/pool'
import { playStory } from '@carillon/server/demo/story'
import { addSupport } from '@carillon/server/demo/support'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ending, forms } from './double-presses/forms.ts'
import { fillEmptyFields, repeatedOf, submitsOf, writesDuring, type Write } from './double-presses/submits.ts'
import { addApiKeys } from './support/api-key-screens.ts'
import { addReports } from './support/report-screens.ts'
import { addRequests } from './support/request-screens.ts'
import { addWebhooks } from './support/webhook-screens.ts'
import { shots } from './support/screens.ts'
import { useSharedPages } from './support/shared-pages.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator, database, cast, receiver }) => {
  await asSystem(database, (db) => addSupport(db, cast))
  await playStory({ url, simulator })
  await addApiKeys(url)
  await addWebhooks(url, receiver)
  await addRequests(url)
  await addReports(url)
})

// Incomplete samples are refused; only the number of requests matters here.
const pages = useSharedPages(site, { allow: [/4\d\d/], viewport: { width: 1440, height: 900 } })

const refusing = new WeakSet<Page>()

/** A pressed send begins ten seconds later. Refused here, so that the draft is still there for the next screen. */
async function refuseSends(page: Page) {
  if (refusing.has(page)) return
  refusing.add(page)
  await page.route(/\/campaigns\/start-campaign\//, (route) =>
    route.fulfill({ status: 409, json: { message: 'Not sent in this test' } }),
  )
}

/** Each submit button is pressed once per account and screen. */
const pressed = new Set<string>()
const made = new Set<string>()

/** Their submit was pressed by the act; the form has its own screenshot. */
const without = ['whatsapp-builder-problems', 'create-sms-incomplete']
const all = [...shots.filter(({ name, except }) => except !== 'desktop' && !without.includes(name)), ...forms]
const inOrder = [
  ...all.filter(({ name }) => !ending.includes(name)),
  ...ending.flatMap((name) => all.filter((shot) => shot.name === name)),
]

test('a double-click on the button that leads to the last step does not send', { timeout: 120_000 }, async () => {
  const page = await pages.open(shots.find(({ name }) => name === 'whatsapp-wizard-failover')!)
  const writes = await writesDuring(page, () =>
    page.getByRole('button', { name: 'Next: Review' }).dblclick({ noWaitAfter: true }),
  )
  await page.getByRole('button', { name: /^Send to 220 people/ }).waitFor()
  expect(writes.filter(({ call }) => /validate|start/.test(call))).toEqual([])
})

test.each(inOrder)('$name: every submit makes its writes once', { timeout: 120_000 }, async (shot) => {
  const page = await pages.open(shot)
  await refuseSends(page)
  await fillEmptyFields(page)
  const buttons = await submitsOf(page).evaluateAll((elements: HTMLButtonElement[]) =>
    elements.map((element) => ({ name: element.innerText, isSubmit: element.type === 'submit' })),
  )
  const place = `${shot.as ?? ''} ${new URL(page.url()).pathname} ${await titleOf(page)}`
  let isUntouched = true
  for (const [index, { name, isSubmit }] of buttons.entries()) {
    if (pressed.has(`${place} ${name}`)) continue
    pressed.add(`${place} ${name}`)
    for (const press of isSubmit && !ending.includes(shot.name) ? [doubleClick, doubleEnter] : [doubleClick]) {
      if (!isUntouched) {
        await pages.open(shot)
        await fillEmptyFields(page)
      }
      isUntouched = false
      const writes = await writesDuring(page, () => press(page, index))
      note(writes)
      expect({ name, press: press.name, repeated: repeatedOf(writes) }).toEqual({
        name,
        press: press.name,
        repeated: [],
      })
    }
  }
})

test('they include the writes that move money, create something or notify someone', () => {
  const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
    const [method = '', path = ''] = endpoints[name].route.split(' ')
    const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return [...made].some((call) => pattern.test(call))
  })
  expect(names).toEqual(
    expect.arrayContaining([
      'auth.login',
      'auth.sendResetLink',
      'auth.register',
      'auth.changePassword',
      'users.setStatus',
      'balance.add',
      'balance.deduct',
      'balance.request',
      'invitations.create',
      'support.open',
      'support.answer',
      'campaigns.discard',
      'auth.logout',
    ]),
  )
})

async function titleOf(page: Page): Promise<string> {
  const headings = page.locator('[role="dialog"] h2, [role="alertdialog"] h2, h1')
  return (await headings.allInnerTexts()).join(' / ')
}

async function doubleClick(page: Page, index: number) {
  await submitsOf(page).nth(index).dblclick({ noWaitAfter: true, timeout: 30_000 })
}

/** Presses Enter twice in the form's first field, or on the button if there is none. */
async function doubleEnter(page: Page, index: number) {
  const button = submitsOf(page).nth(index)
  if ((await button.count()) === 0) return
  const field = await button.evaluateHandle((element: HTMLButtonElement) =>
    element.type === 'submit'
      ? (element.form?.querySelector('input:not([type=checkbox], [type=radio])') ?? null)
      : null,
  )
  const target = field.asElement()
  if (target) await target.focus()
  else await button.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
}

function note(writes: readonly Write[]) {
  for (const { call } of writes) made.add(call)
}
