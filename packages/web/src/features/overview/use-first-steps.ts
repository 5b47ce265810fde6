import type { Channel } from '@carillon/contract/channels'
import { defaultChannels } from '@carillon/contract/constants'
import { channelList } from '../../channels/index.ts'
import { libraries } from '../../channels/libraries.ts'
import { useApiReads } from '../../lib/use-api-reads.ts'
import { mayCall } from '../../lib/call.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { wizardOf } from '../../channels/campaign-wizards.ts'

export type FirstStep = {
  title: string
  detail: string
  done: boolean
  /** Button label and target. */
  action: string
  to?: string
  onOpen?: () => void
}

/** Remaining setup steps before the first campaign; undefined once anything was sent, and until known. Any channel counts. */
export function useFirstSteps(): readonly FirstStep[] | undefined {
  const maySend = useIncluded('campaign') === true
  const mayWrite = useIncluded('template') === true
  const found = useFound(maySend && mayWrite && mayCall('campaigns.start'))
  if (!found || found.sent > 0) return undefined
  return [
    {
      title: 'Connect a channel',
      detail: withAccounts.map(({ setUp }) => setUp).join(', or '),
      action: 'Connect',
      to: 'channels',
      done: found.connected.length > 0,
    },
    {
      title: 'Add a template',
      detail: 'The registered or approved text, with variables for names and codes',
      action: 'Add template',
      to: 'manage-templates',
      done: found.templates > 0,
    },
    {
      title: 'Add balance',
      detail: 'Messages are paid from a prepaid balance',
      action: 'Request top-up',
      onOpen: () => askForTopUp(),
      done: found.balance > 0,
    },
    {
      title: 'Send your first campaign',
      detail: 'Review the message on a phone, the checks and the cost before sending',
      action: 'New campaign',
      to: wizardOf(channelToStartWith(found.connected)),
      done: false,
    },
  ]
}

const withAccounts = channelList.flatMap(({ channel, accounts }) => (accounts ? [{ channel, ...accounts }] : []))

function channelToStartWith(connected: readonly Channel[]): Channel {
  const usual = defaultChannels.campaigns
  return connected.includes(usual) ? usual : (connected[0] ?? usual)
}

function useFound(enabled: boolean) {
  const campaigns = useApi('campaigns.list', { query: { limit: 1 } }, { enabled })
  const isNew = campaigns.data?.totalCampaigns === 0
  const more = { enabled: enabled && isNew }
  const connected = useApiReads(
    withAccounts.map(({ isConnected }) => isConnected),
    more,
  )
  const templates = useApiReads(
    libraries.map(({ templates }) => templates.total),
    more,
  )
  const balance = useApi('balance.get', {}, more)
  const lately = useApi('dashboard.statusCounts', { query: { days: 90 } }, more)
  const isKnown = [...connected, ...templates].every(({ data }) => data !== undefined)
  if (!isNew || !isKnown || !balance.data || !lately.data) return undefined
  return {
    connected: withAccounts.filter((_, index) => connected[index]?.data).map(({ channel }) => channel),
    templates: templates.reduce((sum, { data = 0 }) => sum + data, 0),
    balance: balance.data.balance,
    sent: lately.data.total.submitted,
  }
}
