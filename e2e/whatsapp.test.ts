import { expect, test } from 'vitest'
import { connectAccount, makeTemplate } from './journey/connect.ts'
import { reachFile } from './support/reach-file.ts'
import { openAs } from './support/sign-in.ts'
import { useSite } from './support/visits.ts'
import { addFailover, bringPeople, chooseMessage, reviewBoth, watchItComplete } from './whatsapp/campaign.ts'
import { connectByHand, mendToken, seeTokenRefused, sendFirstMessage, switchOn } from './whatsapp/connect.ts'
import { addUpStatement, readReport, seeOnPhone } from './whatsapp/outcome.ts'
import { writeTemplate } from './whatsapp/template.ts'

const site = useSite(undefined, { graph: { reviewMs: 300, pairLimit: false, throughput: 0 } })

const shop = 'Acme on WhatsApp'
const template = {
  name: 'order_ready',
  words: ['Dear ', ', your order ', ' is ready at our shop in Pune.'],
  samples: ['Priya', 'A-4821'],
} as const

const name = 'Orders to fetch'

test(
  'a manager connects WhatsApp, has a template approved, and reaches 1,000 people, with failover to SMS',
  { timeout: 180_000 },
  async () => {
    const { page, context } = await site.visit()
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
    await connectAccount(page, { name: 'Primary route', smscPort: site.stack.simulator.smscPort })
    await makeTemplate(page, { name: 'order_ready_sms', body: 'Dear {#var#}, order {#var#} ships today. -Acme Retail' })

    const {
      csv,
      reached: [first],
      unreached: [other],
      unreached,
    } = reachFile()
    if (!first || !other) throw new Error('The file has people of both kinds')
    const text = `Dear ${first.name}, your order ${first.order} is ready at our shop in Pune.`
    await bringPeople(page, { name, csv, count: '1,000' })
    await chooseMessage(page, { template: template.name, columns: ['name', 'order'], example: text })
    await addFailover(page, {
      template: 'order_ready_sms',
      example: `Dear ${first.name}, order ${first.order} ships today.`,
    })
    await reviewBoth(page, { people: '1,000', least: '₹125.00', most: '₹250.00' })
    await watchItComplete(page, name)

    const cost = await readReport(page, { name, carried: '900 over WhatsApp and 100 by SMS' })
    expect(cost).toBe(125)
    expect(await addUpStatement(page, name)).toBe(cost)

    for (const person of unreached)
      expect(handset.find(`91${person.phone}`)?.messages.map(({ channel }) => channel)).toEqual(['sms'])
    const url = `http://127.0.0.1:${site.stack.simulator.httpPort}`
    await seeOnPhone(context, { url, number: first.phone, text, channel: 'WhatsApp messages' })
    const sms = `Dear ${other.name}, order ${other.order} ships today. -Acme Retail`
    await seeOnPhone(context, { url, number: other.phone, text: sms, channel: 'Messages' })
  },
)
