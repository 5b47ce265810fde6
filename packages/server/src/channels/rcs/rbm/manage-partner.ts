import { Refusal, type Partner, type PartnerTester } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { managementUrl, rbmScopes, RcsPartner } from '../partner.ts'
import { openGoogleApi, rowIn, rowsIn, textIn, type GoogleApi, type Row } from './manage-api.ts'
import { readAgent, writeAgent } from './manage-brand.ts'
import {
  placeOf,
  readLaunches,
  readVerification,
  regionIdOf,
  writeLaunch,
  writeVerification,
} from './manage-launches.ts'

/** The partner's account in Google's Business Communications API. */
export function openPartner(settings: unknown, io: ProviderCallIo): Partner {
  const partner = parsePartner(settings)
  const api = openGoogleApi({ partner, scope: rbmScopes.management, url: managementUrl(partner) }, io)
  return { ...brandCalls(api), ...reviewCalls(api), ...testerCalls(api), ...webhookCalls(api) }
}

/** The stored settings, or a refusal for the administrator. */
export function parsePartner(settings: unknown): RcsPartner {
  const parsed = RcsPartner.safeParse(settings)
  if (parsed.success) return parsed.data
  throw new Refusal('The partner account with Google is not set up: the administrator enters its service account', {
    code: 'no_partner',
    kind: 'credentials',
  })
}

/** `-` stands for the brand, which need not be known. */
const agentPath = (botId: string) => `brands/-/agents/${encodeURIComponent(botId)}`

function brandCalls(api: GoogleApi): Pick<Partner, 'check' | 'createBot' | 'describeBot' | 'changeBot'> {
  return {
    check: async () => (await listBrands(api)).map((brand) => textIn(brand, 'displayName')),
    async createBot(brand) {
      const known = (await listBrands(api)).find((row) => textIn(row, 'displayName') === brand.brandName)
      const { name } = known ?? (await api({ method: 'POST', path: 'brands', json: { displayName: brand.brandName } }))
      const agent = await api({ method: 'POST', path: `${String(name)}/agents`, json: writeAgent(brand) })
      const botId = /\/agents\/([^/]+)$/.exec(textIn(agent, 'name'))?.[1]
      if (botId === undefined)
        throw new Refusal('Google’s response names no agent', { code: 'no_agent', kind: 'other' })
      return decodeURIComponent(botId)
    },
    async describeBot(botId) {
      const path = agentPath(botId)
      const [agent, verification, launch] = await Promise.all([
        api({ path }),
        api({ path: `${path}/verification` }).catch(noneYet),
        api({ path: `${path}/launch` }).catch(noneYet),
      ])
      return { ...readAgent(agent), verification: readVerification(verification), launches: readLaunches(launch) }
    },
    async changeBot(botId, brand) {
      const agent = writeAgent(brand)
      const before = await api({ path: agentPath(botId) })
      // Name and images of a verified agent are fixed: they are sent only when they change.
      const fields = changedFields(before, agent)
      if (fields.length === 0) return
      await api({ method: 'PATCH', path: agentPath(botId), query: { updateMask: fields.join(',') }, json: agent })
    },
  }
}

/** Google answers 404 before a verification or launch was requested. */
function noneYet(error: unknown): Row {
  if (error instanceof Refusal && error.code === '404') return {}
  throw error
}

/** Google lists a page at a time. */
async function listBrands(api: GoogleApi): Promise<Row[]> {
  const brands: Row[] = []
  let pageToken = ''
  do {
    const page = await api({ path: 'brands', ...(pageToken === '' ? {} : { query: { pageToken } }) })
    brands.push(...rowsIn(page, 'brands'))
    pageToken = textIn(page, 'nextPageToken')
  } while (pageToken !== '')
  return brands
}

function changedFields(before: Row, { displayName, rcsBusinessMessagingAgent }: ReturnType<typeof writeAgent>) {
  const known = rowIn(before, 'rcsBusinessMessagingAgent')
  const changed = Object.entries(rcsBusinessMessagingAgent)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]))
    // Fixed when the agent is created.
    .filter(([name]) => name !== 'hostingRegion')
    .map(([name]) => `rcsBusinessMessagingAgent.${name}`)
  return displayName === textIn(before, 'displayName') ? changed : ['displayName', ...changed]
}

function reviewCalls(api: GoogleApi): Pick<Partner, 'regions' | 'requestVerification' | 'requestLaunch'> {
  return {
    async regions() {
      return rowsIn(await api({ path: 'regions' }), 'regions').map((region) => ({
        id: textIn(region, 'name'),
        name: textIn(region, 'displayName') || regionIdOf(textIn(region, 'name')),
        ...placeOf(textIn(region, 'name')),
        isProviderManaged: textIn(region, 'managementType').includes('GOOGLE'),
      }))
    },
    async requestVerification(botId, contact) {
      const path = `${agentPath(botId)}:requestVerification`
      await api({ method: 'POST', path, json: writeVerification(contact) })
    },
    async requestLaunch(botId, { regions, contact }) {
      const path = agentPath(botId)
      const launch = await api({ path: `${path}/launch` }).catch(noneYet)
      const earlier = Object.keys(rowIn(rowIn(launch, 'rcsBusinessMessaging'), 'launchDetails'))
      const json = writeLaunch(contact, [...new Set([...earlier, ...regions])])
      await api({ method: 'POST', path: `${path}:requestLaunch`, json })
    },
  }
}

function testerCalls(api: GoogleApi): Pick<Partner, 'listTesters' | 'addTester' | 'removeTester'> {
  return {
    listTesters: async (agentId) =>
      rowsIn(await api({ path: 'testers', query: { agentId } }), 'testers').map(readTester),
    addTester: async (agentId, phoneNumber) =>
      readTester(await api({ method: 'POST', path: 'testers', json: { agentId, phoneNumber } })),
    async removeTester(agentId, phoneNumber) {
      await api({ method: 'DELETE', path: `testers/${phoneNumber}`, query: { agentId } })
    },
  }
}

const inviteStates: Record<string, PartnerTester['state']> = {
  PENDING: 'pending',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
}

function readTester(row: Row): PartnerTester {
  return {
    phoneNumber: textIn(row, 'phoneNumber') || textIn(row, 'name').replace(/^testers\//, ''),
    state: inviteStates[textIn(row, 'inviteStatus')] ?? 'unknown',
  }
}

function webhookCalls(api: GoogleApi): Pick<Partner, 'setWebhook'> {
  return {
    async setWebhook(botId, { url, token }) {
      const path = `${agentPath(botId)}/integrations`
      const integrations = rowsIn(await api({ path }), 'integrations')
      const json = { agentWebhookIntegration: { webhookUri: url, verificationToken: token } }
      // An agent has one webhook: the earlier one is removed first.
      for (const earlier of integrations.filter((one) => 'agentWebhookIntegration' in one))
        await api({ method: 'DELETE', path: textIn(earlier, 'name') })
      await api({ method: 'POST', path, json })
    },
  }
}
