import type { Campaign, CampaignStatus } from '@carillon/contract/campaign-records'
import { call, mayCall, type CallError } from '../../lib/call.ts'
import { download } from '../../lib/download.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { toast } from '../../ui/toast.tsx'

const startable: readonly CampaignStatus[] = ['ready', 'scheduled']
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

/** Something has been sent, or was about to be: there is a report. */
const reported: readonly CampaignStatus[] = ['queued', 'running', 'paused', 'completed', 'cancelled']

/** What can be done with a campaign now, by its status and the reader's role. */
export function possibleActions({ status }: Pick<Campaign, 'status'>) {
  const mayRun = mayCall('smsCampaigns.start')
  return {
    start: mayRun && startable.includes(status),
    pause: mayRun && pausable.includes(status),
    resume: mayRun && status === 'paused',
    discard: mayRun && discardable.includes(status),
    edit: mayCall('drafts.save') && (status === 'draft' || status === 'ready'),
    duplicate: mayCall('smsCampaigns.duplicate'),
    download: reported.includes(status),
  }
}

/** Discarding what has started stops it: the words say which of the two it will be. */
export function discardWords({ status, campaignName }: Pick<Campaign, 'status' | 'campaignName'>): {
  title: string
  effect: string
  action: string
} {
  const hasStarted = pausable.includes(status) || status === 'paused'
  return hasStarted
    ? {
        title: `Cancel ${campaignName}?`,
        effect:
          'Nothing more is sent. Messages already handed over cannot be called back. What is left of the hold returns to the balance.',
        action: 'Cancel campaign',
      }
    : {
        title: `Discard ${campaignName}?`,
        effect: 'It will not be sent. Its audience and texts are kept, so it can be duplicated.',
        action: 'Discard campaign',
      }
}

const refreshes = ['smsCampaigns.list', 'smsCampaigns.get', 'smsCampaigns.search', 'balance.get'] as const

function complain(error: CallError) {
  toast.error(error.message)
}

/** The writes behind a campaign's menu; each refreshes what shows campaigns. */
export function useCampaignWrites() {
  const options = { refreshes, onError: complain }
  return {
    start: useApiWrite('smsCampaigns.start', options),
    pause: useApiWrite('smsCampaigns.pause', options),
    resume: useApiWrite('smsCampaigns.resume', options),
    discard: useApiWrite('smsCampaigns.discard', options),
    duplicate: useApiWrite('smsCampaigns.duplicate', options),
  }
}

export async function downloadNumbers({ _id, campaignName }: Pick<Campaign, '_id' | 'campaignName'>) {
  await save(() => call('reports.campaignNumbers', { path: { id: _id } }), `${campaignName} numbers.csv`)
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
