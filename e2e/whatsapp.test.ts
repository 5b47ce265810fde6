import { expect, test } from 'vitest'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'
import { connectByHand, mendToken, seeTokenRefused, sendFirstMessage, switchOn } from './whatsapp/connect.ts'
import { writeTemplate } from './whatsapp/template.ts'

const site = useSite(undefined, { graph: { reviewMs: 300, pairLimit: false } })

const shop = 'Acme on WhatsApp'
const template = {
  name: 'order_ready',
  words: ['Dear ', ', your order ', ' is ready at our shop in Pune.'],
  samples: ['Priya', 'A-4821'],
} as const

test('a manager connects WhatsApp by the screen alone, and has a template approved', { timeout: 120_000 }, async () => {
  const { page } = await site.visit()
  const { handset, graph } = site.stack.simulator
  const { wabaId, token, appId, appSecret, baseUrl } = graph
  const [number] = graph.displayPhoneNumbers
  const [lineId] = graph.phoneNumberIds

  await openAs(page, 'manager')
  await connectByHand(page, { name: shop, wabaId, token: `${token}-of-old`, appId, appSecret, graphUrl: baseUrl })
  await seeTokenRefused(page)
  await mendToken(page, { name: shop, token })
  await switchOn(page, number)
  await sendFirstMessage(page, { name: shop, number: '+919900141200' })
  expect(handset.find('919900141200')?.messages).toMatchObject([
    { channel: 'whatsapp', peer: lineId, direction: 'received' },
  ])
  expect(handset.find('919900141200')?.messages[0]?.text).toContain('Your account is set up')

  await writeTemplate(page, template)
})
