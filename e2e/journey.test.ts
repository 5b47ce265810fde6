import { asSystem } from '@carillon/server/db/pool'
import { expect, test } from 'vitest'
import { connectAccount, header, makeTemplate, sendMeATest } from './journey/connect.ts'
import { uploadAudience, chooseTemplate, personalise, reviewAndSend, watchItGo } from './journey/campaign.ts'
import { downloadExcel, downloadNumbers, lookUpNumber, readReport } from './journey/report.ts'
import { customerFile } from './support/customer-file.ts'
import { openByForm } from './support/sign-in.ts'
import type { Stack } from './support/stack.ts'
import { useSite } from './support/visits.ts'

const site = useSite()

test(
  'a shop connects its operator, sends a campaign, reads its report, and skips people who opted out',
  { timeout: 180_000 },
  async () => {
    const { page, context } = await site.visit({ acceptDownloads: true })
    const { simulator } = site.stack
    const { csv, people, ...counts } = customerFile()
    const [first] = people
    if (!first) throw new Error('The file has people')
    const text = `Dear ${first.name}, order ${first.order} ships today. -Acme Retail`

    await openByForm(page, 'manager')
    await connectAccount(page, { name: 'Primary route', smscPort: simulator.smscPort })
    await sendMeATest(page, { name: 'Primary route', number: '+919900141200' })
    expect(simulator.handset.find('919900141200')?.messages.at(-1)).toMatchObject({
      peer: header,
      text: 'Test message',
    })
    await makeTemplate(page, { name: 'order_ready', body: 'Dear {#var#}, order {#var#} ships today. -Acme Retail' })

    await uploadAudience(page, { name: 'Orders of the week', csv, expected: counts })
    await chooseTemplate(page, 'order_ready')
    await personalise(page, text)
    await reviewAndSend(page, { people: 270, cost: '₹33.75' })
    await watchItGo(page, 'Orders of the week')

    await readReport(page, { name: 'Orders of the week', people: 270 })
    const numbers = await downloadNumbers(page)
    expect(people.filter(({ phone }) => !numbers.includes(phone))).toEqual([])
    const workbook = await downloadExcel(page)
    expect(people.filter(({ phone, order }) => !workbook.includes(phone) || !workbook.includes(order))).toEqual([])
    await lookUpNumber(page, { number: `+91${first.phone}`, name: 'Orders of the week', text })

    const phones = await context.newPage()
    await phones.goto(`http://127.0.0.1:${simulator.httpPort}/#91${first.phone}`)
    await phones.getByLabel('Search number, sender or text').fill(first.phone)
    await phones.locator(`[data-number="91${first.phone}"]`).click()
    const thread = phones.getByRole('log', { name: 'Messages' })
    await thread.getByText(text).waitFor()
    await phones.getByRole('button', { name: 'STOP' }).click()
    await thread.getByText('STOP', { exact: true }).waitFor()
    await phones.close()

    await expect.poll(() => countOptOuts(site.stack)).toBe(1)
    await uploadAudience(page, { name: 'Orders of the next week', csv, expected: counts })
    await chooseTemplate(page, 'order_ready')
    await personalise(page, text)
    await page.getByText('One person has opted out of SMS').waitFor()
    await page.getByRole('button', { name: 'Send to 269 people' }).waitFor()
  },
)

async function countOptOuts({ database }: Stack): Promise<number> {
  return asSystem(database, async (db) => (await db.selectFrom('opt_outs').selectAll().execute()).length)
}
