import type { Campaign, CampaignStatus } from '@carillon/contract/campaign-records'
import { mayCreateCampaign } from '../../../channels/campaign-wizards.ts'
import { call, mayCall, type CallError } from '../../../lib/call.ts'
import { download } from '../../../lib/download.ts'
import { useApiWrite } from '../../../lib/use-api.ts'
import { toast } from '../../../ui/toast.tsx'
import type { queryOf } from '../report/shown-recipients.ts'
import { showingCampaigns } from '../showing-campaigns.ts'

const startable: readonly CampaignStatus[] = ['ready', 'scheduled']
const editable: readonly CampaignStatus[] = ['draft', 'ready', 'failed']
const pausable: readonly CampaignStatus[] = ['queued', 'running']
const discardable: readonly CampaignStatus[] = [
  'draft',
  'validating',
  'ready',
  'scheduled',
  'queued',
  'running',
  'paused',
]

/** Something has been sent, or was about to be: a report exists. */
const reported: readonly CampaignStatus[] = ['queued', 'running', 'paused', 'completed', 'cancelled']

/** Nothing of it is sent any more. */
export function hasEnded({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/** Actions that are available now, by the campaign's status and the user's role. */
export function possibleActions(campaign: Campaign) {
  const { status, channel, startedAt, stats } = campaign
  const mayRun = mayCall('campaigns.start')
  const mayEdit = mayCreateCampaign(channel)
  return {
    start: mayRun && startable.includes(status),
    pause: mayRun && pausable.includes(status),
    resume: mayRun && status === 'paused',
    discard: mayRun && discardable.includes(status),
    edit: mayEdit && startedAt === null && editable.includes(status),
    reschedule: mayRun && status === 'scheduled',
    /** Unschedules the campaign and opens the wizard. */
    takeBack: mayCall('campaigns.reopen') && mayEdit && status === 'scheduled',
    duplicate: mayEdit,
    resend: mayCall('campaigns.resendFailed') && hasEnded(campaign) && stats.failed > 0,
    download: reported.includes(status),
  }
}

/** Discarding a started campaign cancels it; the texts name the one that applies. */
export function discardLabels({ status, campaignName }: Pick<Campaign, 'status' | 'campaignName'>): {
  title: string
  effect: string
  action: string
  /** As menu items. */
  ask: string
} {
  const hasStarted = pausable.includes(status) || status === 'paused'
  return hasStarted
    ? {
        title: `Cancel ${campaignName}?`,
        effect:
          'Nothing more is sent. Messages already sent cannot be recalled. Any unused reserved amount returns to the balance.',
        action: 'Cancel campaign',
        ask: 'Cancel…',
      }
    : {
        title: `Discard ${campaignName}?`,
        effect: 'It will not be sent. Its audience and texts are kept, so it can be duplicated.',
        action: 'Discard campaign',
        ask: 'Discard…',
      }
}

function complain(error: CallError) {
  toast.error(error.message)
}

/** The writes of a campaign's menu; each refreshes all reads of campaigns. */
export function useCampaignWrites() {
  const options = { refreshes: showingCampaigns, onError: complain }
  return {
    pause: useApiWrite('campaigns.pause', options),
    resume: useApiWrite('campaigns.resume', options),
    discard: useApiWrite('campaigns.discard', options),
    duplicate: useApiWrite('campaigns.duplicate', options),
  }
}

export async function downloadNumbers(
  { _id, campaignName }: Pick<Campaign, '_id' | 'campaignName'>,
  query: ReturnType<typeof queryOf> = {},
) {
  await save(() => call('reports.campaignNumbers', { path: { id: _id }, query }), `${campaignName} numbers.csv`)
}

export async function downloadExcel({ _id, campaignName }: Pick<Campaign, '_id' | 'campaignName'>) {
  await save(() => call('reports.campaignExcel', { query: { campaignId: _id } }), `${campaignName} report.xlsx`)
}

async function save(load: () => Promise<Blob>, fileName: string) {
  try {
    await download(await load(), fileName)
  } catch (error) {
    toast.error(error instanceof Error ? error.message : 'Failed to download report')
  }
}
