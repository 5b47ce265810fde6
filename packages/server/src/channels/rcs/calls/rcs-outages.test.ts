import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import type { RcsTemplate } from '@carillon/contract/channels/rcs/rcs-templates'
import type { NotificationKind } from '@carillon/contract/notifications'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { buildRcsMessages, orderReady, type RcsMessages } from '../../../testing/rcs-messages.ts'
import { until } from '../../../testing/until.ts'
import { fileOfPeople } from '../../../testing/whatsapp-campaigns.ts'

let fixtures: RcsMessages
let template: RcsTemplate

beforeAll(async () => {
  fixtures = await buildRcsMessages()
  template = await fixtures.ask('rcsTemplates.create', { body: orderReady })
}, 60_000)
afterAll(() => fixtures.close())
beforeEach(() => setRate(5))

const asAdmin = () => fixtures.server.as(fixtures.admin)
const get = (id: string) => fixtures.ask('campaigns.get', { path: { id } })

async function setRate(ratePerSecond: number): Promise<void> {
  await asAdmin().ask('bots.update', { body: { id: fixtures.senderId, ratePerSecond } })
}

const people = 80
let block = 10

/** A campaign of which a part has been sent. */
async function startSlowly(): Promise<string> {
  block += 1
  const phones = Array.from({ length: people }, (_, index) => `+9198${block}${String(index).padStart(3, '0')}120`)
  const { _id } = await fixtures.ask('rcsCampaigns.create', {
    body: {
      campaignName: `Orders ${newId().slice(-6)}`,
      botId: fixtures.botId,
      templateId: template._id,
      variables: [{ column: 1, fallback: '' }],
    },
    files: fileOfPeople(phones),
  })
  await until(async () => (await get(_id)).status === 'ready', 'validation')
  await fixtures.ask('campaigns.start', { path: { id: _id }, body: {} })
  await until(async () => (await get(_id)).stats.submitted >= 3, 'the first messages')
  return _id
}

type LaunchState = 'SUSPENDED' | 'UNLAUNCHED' | 'PENDING' | 'LAUNCHED'

const shownAs: Record<LaunchState, RcsBot['launches'][number]['state']> = {
  SUSPENDED: 'suspended',
  UNLAUNCHED: 'terminated',
  PENDING: 'pending',
  LAUNCHED: 'launched',
}

/** Every operator that launched the bot changes its launch, step by step. */
async function changeLaunches(...states: LaunchState[]): Promise<void> {
  const { control } = fixtures.simulator.rbm
  const launched = control.overview().agents.find(({ id }) => id === fixtures.botId)?.launches ?? {}
  for (const state of states) {
    for (const region of Object.keys(launched)) control.changeLaunch(fixtures.botId, { region, state })
    await until(async () => {
      const [bot] = await fixtures.ask('bots.own')
      return bot?.launches.every((launch) => launch.state === shownAs[state]) ?? false
    }, `${state} at every operator`)
  }
}

/** How often each phone of the campaign showed its message. */
function timesShown(): Map<string, number> {
  const shown = new Map<string, number>()
  const filter = { since: 0, limit: 5000, number: undefined, agentId: fixtures.botId }
  for (const { number, timesShown: times } of fixtures.simulator.rbm.control.listMessages(filter).messages)
    if (number.startsWith(`9198${block}`)) shown.set(number, (shown.get(number) ?? 0) + times)
  return shown
}

async function finish(id: string) {
  await setRate(500)
  await until(async () => (await get(id)).status === 'completed', 'the end', 90_000)
  await until(async () => {
    const { stats } = await get(id)
    return stats.delivered + stats.read + stats.failed === people
  }, 'the reports')
  return (await get(id)).stats
}

const notices = async (kind: NotificationKind) =>
  (await fixtures.ask('notifications.list', { query: { limit: 100 } })).notifications.filter(
    (each) => each.kind === kind,
  )

test.each<[string, LaunchState[], LaunchState[]]>([
  ['suspend', ['SUSPENDED'], ['LAUNCHED']],
  ['stop offering', ['SUSPENDED', 'UNLAUNCHED'], ['PENDING', 'LAUNCHED']],
])(
  'a bot that its operators %s pauses its campaigns, which resume once it is launched again',
  async (_, away, back) => {
    const id = await startSlowly()
    await changeLaunches(...away)
    await until(async () => (await get(id)).status === 'paused', 'the pause')
    const paused = await get(id)
    expect(paused).toMatchObject({
      pauseReason: 'sender_limited',
      statusDetail: expect.stringContaining('not launched with any operator'),
    })
    expect(paused.stats.queued).toBeGreaterThan(0)
    expect((await notices('sender_changed')).map(({ description }) => description).join(' ')).toContain('has suspended')

    await changeLaunches(...back)
    await finish(id)
    expect((await notices('campaign_resumed')).filter(({ link }) => link?.id === id)).toMatchObject([
      { description: expect.stringContaining('is sending again. The provider accepts its sender again') },
    ])
    // Messages sent after the suspension and before the pause were rejected by the operators; all others arrived once.
    const shown = timesShown()
    expect([...new Set(shown.values())]).toEqual([1])
    const { stats, failures } = await get(id)
    expect(shown.size + stats.failed).toBe(people)
    expect(failures.every(({ reason }) => reason === 'sender_rejected')).toBe(true)
  },
)

test('a campaign that a user paused stays paused when its bot is launched again', async () => {
  const id = await startSlowly()
  await fixtures.ask('campaigns.pause', { path: { id } })
  await changeLaunches('SUSPENDED', 'LAUNCHED')
  expect(await get(id)).toMatchObject({ status: 'paused', pauseReason: 'manual' })
  await fixtures.ask('campaigns.discard', { path: { id } })
})

test('a replaced key of the partner pauses the campaigns; the new key resumes them, and no message is lost', async () => {
  const id = await startSlowly()
  fixtures.simulator.rbm.control.replaceKey()
  await until(async () => (await get(id)).status === 'paused', 'the pause')
  expect(await get(id)).toMatchObject({ pauseReason: 'channel_disconnected', statusDetail: expect.any(String) })
  const [bot] = await fixtures.ask('bots.own')
  expect(bot?.failure).toEqual(expect.any(String))
  expect((await fixtures.ask('notifications.list')).notifications).toContainEqual(
    expect.objectContaining({ kind: 'connection_failed' }),
  )

  const { baseUrl, control } = fixtures.simulator.rbm
  const partner = { apiUrl: baseUrl, managementUrl: `${baseUrl}/management` }
  const old = await asAdmin().ask('rcsPartner.check', { body: { ...partner, keyFile: '' } })
  expect(old.isConnected).toBe(false)
  await asAdmin().ask('rcsPartner.set', { body: { ...partner, keyFile: JSON.stringify(control.serviceAccount()) } })
  // A message refused with the old key after that pauses the campaign again, until the check of the next minute.
  await until(async () => (await get(id)).status !== 'paused', 'the resumption', 90_000)
  expect(await finish(id)).toMatchObject({ failed: 0 })
  const shown = timesShown()
  expect(shown.size).toBe(people)
  expect([...new Set(shown.values())]).toEqual([1])
  expect((await fixtures.ask('bots.own'))[0]?.failure).toBeNull()
}, 180_000)

test('a bot before its launch sends test messages to test phones only', async () => {
  const { newAgentId: botId, control } = fixtures.simulator.rbm
  const { _id: id } = await asAdmin().ask('bots.create', {
    body: { organizationId: fixtures.manager.id, provider: 'rbm', botId, ratePerSecond: 100 },
  })
  const [tester, stranger] = ['+919812345120', '+919812346120']
  const path = { id }
  const sendTest = (phoneNumber: string) =>
    fixtures.server.as(fixtures.manager).call('bots.test', { path, body: { phoneNumber, text: 'A test message' } })
  await fixtures.ask('bots.addTester', { path, body: { phoneNumber: tester } })
  await until(async () => {
    const { testers } = await fixtures.ask('bots.sync', { path })
    return testers[0]?.state === 'accepted'
  }, 'the acceptance')
  expect(await sendTest(tester)).toMatchObject({ status: 409, body: { message: expect.stringContaining('off') } })

  await fixtures.ask('bots.setStatus', { body: { botId, botStatus: 'active' } })
  const sent = [await sendTest(tester), await sendTest(stranger)]
  expect(sent.map(({ status }) => status)).toEqual([200, 200])
  const outcomes = async () =>
    (
      await fixtures.server.database.systemPool.query<{ phone: string; status: string; reason: string | null }>(
        `select single.phone, message.status, message.reason from single_sends single
         join messages message on message.organization_id = single.organization_id and message.campaign_id = single.id
         where single.sender_id = $1 order by single.phone`,
        [id],
      )
    ).rows
  const isFinal = ({ status }: { status: string }) => ['delivered', 'read', 'failed'].includes(status)
  await until(async () => (await outcomes()).filter(isFinal).length === 2, 'both outcomes')
  expect(await outcomes()).toMatchObject([
    { status: expect.stringMatching(/delivered|read/) },
    { status: 'failed', reason: expect.any(String) },
  ])
  const shown = control.listMessages({ since: 0, limit: 5000, number: undefined, agentId: botId }).messages
  expect(shown).toMatchObject([{ number: tester.slice(1), text: 'A test message', timesShown: 1 }])
})
