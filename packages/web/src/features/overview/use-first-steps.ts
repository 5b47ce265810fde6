import { defaultChannels } from '@carillon/contract/constants'
import { mayCall } from '../../lib/call.ts'
import { askForTopUp } from '../../lib/top-up.ts'
import { useApi } from '../../lib/use-api.ts'
import { useIncluded } from '../../lib/use-included.ts'
import { wizardOf } from '../../channels/campaign-channels.ts'

export type FirstStep = {
  title: string
  detail: string
  done: boolean
  /** Button label and target. */
  action: string
  to?: string
  onOpen?: () => void
}

/** Remaining setup steps before the first campaign; undefined once anything was sent, and until known. Either channel counts. */
export function useFirstSteps(): readonly FirstStep[] | undefined {
  const maySend = useIncluded('campaign') === true
  const mayWrite = useIncluded('template') === true
  const found = useFound(maySend && mayWrite && mayCall('campaigns.start'))
  if (!found || found.sent > 0) return undefined
  return [
    {
      title: 'Connect a channel',
      detail: 'SMS through your operator, or WhatsApp with your business number',
      action: 'Connect',
      to: 'channels',
      done: found.sms || found.whatsapp,
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
      to: wizardOf(found.whatsapp && !found.sms ? 'whatsapp' : defaultChannels.campaigns),
      done: false,
    },
  ]
}

function useFound(enabled: boolean) {
  const campaigns = useApi('campaigns.list', { query: { limit: 1 } }, { enabled })
  const isNew = campaigns.data?.totalCampaigns === 0
  const more = { enabled: enabled && isNew }
  const accounts = useApi('smsAccounts.list', {}, more)
  const connections = useApi('wabas.list', {}, more)
  const sms = useApi('smsTemplates.list', { query: { limit: 1 } }, more)
  const whatsapp = useApi('waTemplates.list', { query: { limit: 1 } }, more)
  const balance = useApi('balance.get', {}, more)
  const lately = useApi('dashboard.statusCounts', { query: { days: 90 } }, more)
  if (!isNew || !accounts.data || !connections.data || !sms.data || !whatsapp.data || !balance.data || !lately.data)
    return undefined
  return {
    sms: accounts.data.some(({ isActive }) => isActive),
    whatsapp: connections.data.some(({ numbers }) => numbers.some(({ isActive }) => isActive)),
    templates: sms.data.total + whatsapp.data.total,
    balance: balance.data.balance,
    sent: lately.data.total.submitted,
  }
}
