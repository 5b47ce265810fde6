import { expect, test } from 'vitest'
import { demoPassword } from '@carillon/server/demo/cast'
import { createClient } from '@carillon/server/demo/client'
import { settle } from './support/screens.ts'
import { takeSession } from './support/session-of.ts'
import { useSite } from './support/visits.ts'

const site = useSite(async ({ url, simulator }) => {
  const client = await createClient(url, { username: 'manager', password: demoPassword })
  const config = { host: '127.0.0.1', port: simulator.smscPort, systemId: 'carillon', password: 'simulator' }
  for (const name of ['Busy route', 'Idle route'])
    await client.call('smsAccounts.create', {
      body: { name, provider: 'smpp', headers: ['ACMERT'], ratePerSecond: 60, config },
    })
})

/** A day of traffic: mostly delivered, one hour with many failures, none at night. */
async function fillHours() {
  await site.stack.database.ownerPool.query('delete from sender_points')
  await site.stack.database.ownerPool.query(
    `insert into sender_points (organization_id, sender_id, at, submitted, delivered, failed)
    select organization_id, senders.id, date_bin('15 minutes', now(), 'epoch') - make_interval(hours => hour), 1000,
      case hour when 3 then 600 when 5 then 900 else 990 end, case hour when 3 then 400 when 5 then 100 else 10 end
    from senders, generate_series(0, 22) hour where name = 'Busy route' and hour not between 9 and 14`,
  )
}

test.each([1440, 390])('an SMS account shows its last 24 hours at %i px', { timeout: 90_000 }, async (width) => {
  await fillHours()
  const { page, context } = await site.visit({ viewport: { width, height: 900 } })
  await takeSession(context, { url: site.url, username: 'manager' })
  await page.goto('/organization/channels/sms')
  await settle(page)
  const strip = page.getByRole('img', { name: /^Busy route: / })
  expect(await strip.getAttribute('aria-label')).toBe(
    'Busy route: 17,000 accepted in 24 hours, 96.2% delivered, 3.8% failed; 2 hours with more than 5.0% failed',
  )
  await page.getByRole('img', { name: 'Idle route: no traffic in 24 hours' }).waitFor()
  await page.getByText('17,000 accepted in 24 hours').waitFor()
  const hours = await strip.locator('[title]').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('title') ?? ''))
  expect(hours).toHaveLength(24)
  expect(hours.filter((title) => title.endsWith('no traffic'))).toHaveLength(7)
  expect(hours.filter((title) => title.endsWith('1,000 accepted, 600 delivered, 400 failed'))).toHaveLength(1)
  const pictures = process.env['PICTURES']
  if (pictures) await page.screenshot({ path: `${pictures}/account-health-${width}.png` })
})
