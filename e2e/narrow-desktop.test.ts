import { playStory } from '@carillon/server/demo/story'
import { expect, test } from 'vitest'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

test.each([
  'manage-templates/create-sms',
  'manage-templates/sms',
  'manage-templates/whatsapp/whatsapp-template-creation',
  'campaigns/sms-campaign-creation',
  'campaigns/whatsapp-campaign-creation',
])('at 1024 px titles, breadcrumbs, steps, checks and ids of %s are shown in full', async (path) => {
  const { page, context } = await site.visit({ viewport: { width: 1024, height: 768 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto(`/organization/${path}`)
  await settle(page)
  const cut = await page.evaluate(() => {
    const isBuilder = location.pathname.includes('manage-templates')
    const shortened = `nav[aria-label=Breadcrumbs] li, ${isBuilder ? 'h1, ' : ''}td button span`
    const isShortened = (element: Element) => element.scrollWidth > element.clientWidth + 1
    const runsOut = (element: Element) =>
      element.getBoundingClientRect().right > (element.parentElement?.getBoundingClientRect().right ?? 0) + 1
    return [
      ...[...document.querySelectorAll(shortened)].filter((element) => isShortened(element)),
      ...[...document.querySelectorAll('nav[aria-label=Steps] li, section[aria-label=Checks] header > *')].filter(
        (element) => element.getClientRects().length > 0 && runsOut(element),
      ),
    ].map(({ textContent }) => textContent)
  })
  expect(cut).toEqual([])
})

test.each(['billing?t=1', 'users'])('at 390 px the rows of %s are shown in full', async (path) => {
  const { page, context } = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto(`/organization/${path}`)
  await settle(page)
  const rows = page.locator('main li :is(b, small)').filter({ visible: true })
  await rows.first().waitFor()
  const cut = await rows.evaluateAll((texts) =>
    texts.filter((text) => text.scrollWidth > text.clientWidth + 1).map(({ textContent }) => textContent),
  )
  expect(cut).toEqual([])
})
