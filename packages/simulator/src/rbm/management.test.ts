import { afterEach, beforeEach, expect, test } from 'vitest'
import { hello, type Partner, person, startPartner } from './testing.ts'

let partner: Partner
beforeEach(async () => {
  partner = await startPartner({ reviewMs: 1, launchMs: 1, testerMs: 1 })
})
afterEach(() => partner.close())

const link = (uri: string) => ({ uri, label: 'Link' })
const profile = {
  description: 'Books by post',
  logoUri: 'https://books.example/logo.png',
  heroUri: 'https://books.example/hero.png',
  color: '#7A1F3D',
  phoneNumbers: [{ phoneNumber: { number: '+918047181000' }, label: 'Call' }],
  privacy: link('https://books.example/privacy'),
  termsConditions: link('https://books.example/terms'),
  agentUseCase: 'TRANSACTIONAL',
  billingConfig: { billingCategory: 'SINGLE_MESSAGE' },
  hostingRegion: 'ASIA_PACIFIC',
}
const contact = {
  agentVerificationContact: {
    partnerName: 'Asha',
    partnerEmailAddress: 'asha@acme.example',
    brandContactName: 'Ravi',
    brandContactEmailAddress: 'ravi@books.example',
    brandWebsiteUrl: 'https://books.example',
  },
}
const launchOf = (...regions: string[]) => ({
  agentLaunch: {
    rcsBusinessMessaging: {
      questionnaire: {
        contacts: [{ name: 'Asha', title: 'Owner', email: 'asha@acme.example' }],
        interactionsDescription: 'Orders',
        optoutDescription: 'STOP',
        triggerDescription: 'An order',
        agentAccessInstructions: 'None',
      },
      launchDetails: Object.fromEntries(regions.map((region) => [`/v1/regions/${region}`, {}])),
    },
  },
})
const manage = (call: string, body?: unknown) => {
  const [method, path] = call.split(' ')
  return partner.call(`${method} management/v1/${path}`, body)
}

async function createAgent(displayName = 'Bharat Books') {
  const brand = await manage('POST brands', { displayName: 'Bharat Books' })
  const agent = await manage(`POST ${String(brand.body.name)}/agents`, {
    displayName,
    rcsBusinessMessagingAgent: profile,
  })
  const name = String(agent.body.name)
  return { name, id: name.split('/').at(-1) ?? '' }
}

test('an agent is created, verified, launched with carriers, and sends', async () => {
  const { name, id } = await createAgent()
  expect(id).toMatch(/^bharat_books_\w+_agent@rbm\.goog$/)
  expect((await manage(`POST ${name}:requestLaunch`, launchOf('in-airtel'))).body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
  })
  expect((await manage(`POST ${name}:requestVerification`, contact)).body).toMatchObject({
    name: `${name}/verification`,
    verificationState: 'VERIFICATION_STATE_PENDING',
  })
  await expect
    .poll(async () => (await manage(`GET ${name}/verification`)).body.verificationState)
    .toBe('VERIFICATION_STATE_VERIFIED')
  expect((await manage(`POST ${name}:requestLaunch`, launchOf('in-airtel'))).body).toMatchObject({
    rcsBusinessMessaging: { launchDetails: { '/v1/regions/in-airtel': { launchState: 'LAUNCH_STATE_PENDING' } } },
  })
  const pushes = await partner.webhook.waitForPushes(2)
  expect(pushes.map(({ attributes }) => attributes.type)).toEqual(['agent_launch_event', 'agent_launch_event'])
  expect(pushes.map(({ data }) => [data.oldLaunchState, data.newLaunchState])).toContainEqual(['PENDING', 'LAUNCHED'])
  expect(pushes[0]?.data).toMatchObject({
    agentId: id,
    botDisplayName: 'Bharat Books',
    brandDisplayName: 'Bharat Books',
    regionId: '/v1/regions/in-airtel',
  })
  expect((await partner.send(hello, { from: id })).status).toBe(200)
})

test('a carrier rejects, suspends and resumes', async () => {
  const { name, id } = await createAgent('Reject Books')
  partner.control.changeAgent(id, { verification: 'VERIFIED' })
  await manage(`POST ${name}:requestLaunch`, launchOf('in-vi'))
  const read = async () => (await manage(`GET ${name}/launch`)).body
  await expect.poll(read).toMatchObject({
    rcsBusinessMessaging: {
      launchDetails: {
        '/v1/regions/in-vi': { launchState: 'LAUNCH_STATE_REJECTED', comment: expect.stringContaining('opt-out') },
      },
    },
  })
  partner.control.changeLaunch(partner.agentId, { region: 'in-vi', state: 'SUSPENDED', comment: 'Complaints' })
  partner.control.changeLaunch(partner.agentId, { region: 'in-vi', state: 'LAUNCHED' })
  expect(() => partner.control.changeLaunch(partner.agentId, { region: 'in-vi', state: 'REJECTED' })).toThrow(
    'LAUNCHED cannot become REJECTED',
  )
})

test.each([
  ['a long description', { description: 'a'.repeat(101) }],
  ['a colour name', { color: 'red' }],
  ['too little contrast', { color: '#F4C95D' }],
  ['no contact', { phoneNumbers: [] }],
  ['four phone numbers', { phoneNumbers: Array.from({ length: 4 }, () => profile.phoneNumbers[0]) }],
  ['no privacy policy', { privacy: undefined }],
  ['no billing category', { billingConfig: {} }],
  ['an unknown region', { hostingRegion: 'MOON' }],
  ['an unknown use case', { agentUseCase: 'SPAM' }],
  ['an unknown field', { mood: 'good' }],
])('%s is rejected', async (_name, changes) => {
  const { status } = await manage(`POST brands/${partner.simulator.rbm.brandId}/agents`, {
    displayName: 'Books',
    rcsBusinessMessagingAgent: { ...profile, ...changes },
  })
  expect(status).toBe(400)
})

test('a change names its fields; a verified agent keeps its name and images', async () => {
  const { name, id } = await createAgent()
  const changed = await manage(`PATCH ${name}?updateMask=rcsBusinessMessagingAgent.description`, {
    displayName: 'Ignored',
    rcsBusinessMessagingAgent: { description: 'More books', color: '#000000' },
  })
  expect(changed.body).toMatchObject({
    displayName: 'Bharat Books',
    rcsBusinessMessagingAgent: { description: 'More books', color: '#7A1F3D' },
  })
  partner.control.changeAgent(id, { verification: 'VERIFIED' })
  expect((await manage(`PATCH ${name}?updateMask=displayName`, { displayName: 'Other' })).status).toBe(400)
  expect((await manage(`GET ${name}`)).body.displayName).toBe('Bharat Books')
  expect((await manage(`DELETE ${name}`)).status).toBe(200)
  expect((await manage(`GET ${name}`)).status).toBe(404)
})

test('a tester receives messages of an agent that is not launched', async () => {
  const { newAgentId: agentId } = partner.simulator.rbm
  const phoneNumber = `+${person}`
  expect((await manage('POST testers', { agentId, phoneNumber })).body).toMatchObject({
    name: `testers/${phoneNumber}`,
    inviteStatus: 'PENDING',
  })
  const read = async () => (await manage(`GET testers/${phoneNumber}?agentId=${agentId}`)).body.inviteStatus
  await expect.poll(read).toBe('ACCEPTED')
  expect((await partner.send(hello, { from: agentId })).status).toBe(200)
  partner.control.people.answerInvite({ number: person, agentId }, false)
  expect((await partner.send(hello, { from: agentId })).status).toBe(403)
  expect((await manage('POST testers', { agentId, phoneNumber: '+919812340404' })).status).toBe(404)
})

test('20 testers a day', async () => {
  const { newAgentId: agentId } = partner.simulator.rbm
  const invite = (index: number) => manage('POST testers', { agentId, phoneNumber: `+9198123456${10 + index}` })
  for (let index = 0; index < 20; index += 1) expect((await invite(index)).status).toBe(200)
  expect(await invite(20)).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } })
  const { testers } = (await manage(`GET testers?agentId=${agentId}`)).body
  expect(testers).toHaveLength(20)
})

test('the partner’s webhook is set by the API, and carriers are listed', async () => {
  const { partnerId } = partner.simulator.rbm
  const capability = { webhookUrl: partner.webhook.url }
  const productCapabilities = [{ product: 'RCS_BUSINESS_MESSAGING', rcsBusinessMessagingCapability: capability }]
  expect((await manage(`PATCH partners/${partnerId}`, { productCapabilities })).body).toMatchObject({
    productCapabilities,
  })
  expect(partner.webhook.validations).toHaveLength(2)
  expect((await manage('GET regions')).body.regions).toContainEqual({
    name: '/v1/regions/in-vi',
    displayName: 'Vi India',
    managementType: 'CARRIER_MANAGED',
  })
  expect((await manage('GET weather')).status).toBe(404)
})
