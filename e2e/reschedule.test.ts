import { playStory } from '@carillon/server/demo/story'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openMenuOf } from './support/screen-acts.ts'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(({ url, simulator }) => playStory({ url, simulator }))

const read = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await site.stack.database.ownerPool.query<Row>(text, values)).rows[0]

type Scheduled = { id: string; name: string; status: string; at: Date | null; held: number | null }
const scheduled = (id?: string) =>
  read<Scheduled>(
    `select campaign.id, campaign.name, campaign.status, schedule_at as at, (hold.amount - hold.captured)::float8 as held
    from campaigns campaign
    left join holds hold on hold.organization_id = campaign.organization_id and hold.id = campaign.hold_id
      and hold.released_at is null
    where case when $1::uuid is null then campaign.status = 'scheduled' else campaign.id = $1 end limit 1`,
    [id ?? null],
  )

async function takePicture(page: Page, name: string) {
  const pictures = process.env['PICTURES']
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` })
}

test(
  'a scheduled campaign is rescheduled from the list, and unscheduled to be edited',
  { timeout: 120_000 },
  async () => {
    const { page, context } = await site.visit({ viewport: { width: 1440, height: 900 } })
    await takeSession(context, { url: site.url, username: 'manager' })
    const before = await scheduled()
    if (!before) throw new Error('The demo has no scheduled campaign')
    const { id, name } = before

    await page.goto('/organization/campaigns')
    await settle(page)
    await openMenuOf(page, name)
    await page.getByRole('menuitem', { name: 'Reschedule…' }).click()
    const dialog = page.getByRole('dialog', { name: `Reschedule ${name}` })
    const save = dialog.getByRole('button', { name: 'Reschedule', exact: true })
    expect(await save.isDisabled()).toBe(true)
    const time = dialog.getByLabel('Day and time')
    const shown = await time.inputValue()
    await time.fill('2020-01-01T10:00')
    await dialog.getByText('Choose a time in the future').waitFor()
    expect(await save.isDisabled()).toBe(true)
    // Promotional messages may be sent from 10 am: the dialog offers that time.
    await time.fill(`${shown.slice(0, 10)}T07:15`)
    await dialog.getByText('Messages are sent between').waitFor()
    await takePicture(page, 'reschedule-light-1440')
    await time.fill(`${shown.slice(0, 10)}T11:45`)
    await save.dblclick()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Rescheduled for/).waitFor()
    const after = await scheduled(id)
    expect(after).toMatchObject({ status: 'scheduled', held: before.held })
    expect(after?.at).toEqual(new Date(`${shown.slice(0, 10)}T11:45:00+05:30`))

    await page.getByRole('row').filter({ hasText: name }).getByRole('cell').nth(2).click()
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('alertdialog').getByText('It goes back to draft').waitFor()
    await takePicture(page, 'edit-scheduled-light-1440')
    await page.getByRole('button', { name: 'Keep it scheduled' }).click()
    expect(await scheduled(id)).toMatchObject({ status: 'scheduled' })
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('button', { name: 'Unschedule and edit' }).click()
    await page.waitForURL(/sms-campaign-creation/)
    await page.getByRole('button', { name: /^Next: / }).waitFor()
    expect(await scheduled(id)).toMatchObject({ status: 'draft', at: null, held: null })
    await page.goto(`/organization/campaigns/sms-campaign-creation?t=3&c=${id}`)
    await page.getByRole('button', { name: /^Schedule for/ }).click()
    await page
      .getByRole('region', { name: 'Waiting to send' })
      .getByRole('button', { name: /^Schedule now/ })
      .click()
    await page
      .getByText(/^Scheduled for/)
      .first()
      .waitFor()
    expect(await scheduled(id)).toMatchObject({ status: 'scheduled', at: after?.at, held: before.held })
  },
)
