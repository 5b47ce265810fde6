import { truncate } from '@carillon/contract/text'
import type { Campaign } from '@carillon/contract/campaign-records'
import type { CampaignDetail } from '@carillon/contract/campaigns'
import type { Channel } from '@carillon/contract/channels'
import { call, mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'

/** The reads that show campaigns and what they cost: out of date after a write. */
export const showingCampaigns = [
  'campaigns.list',
  'smsCampaigns.list',
  'campaigns.get',
  'smsCampaigns.search',
  'waCampaigns.list',
  'waCampaigns.get',
  'balance.get',
] as const

type WriteOnce = { key: string }

type ChannelCalls = {
  /** The path of its wizard. */
  wizard: string
  /** Which of its steps is the review, from 0. */
  reviewStep: number
  mayEdit: () => boolean
  mayStart: () => boolean
  get: (id: string) => Promise<CampaignDetail>
  validate: (id: string) => Promise<Campaign>
  start: (id: string, version?: string, options?: WriteOnce) => Promise<Campaign>
  /** Answers the new draft's id. */
  duplicate: (id: string, options: WriteOnce) => Promise<{ _id: string }>
}

const sms: ChannelCalls = {
  wizard: 'campaigns/sms-campaign-creation',
  reviewStep: 3,
  mayEdit: () => mayCall('drafts.save'),
  mayStart: () => mayCall('campaigns.start'),
  get: (id) => call('campaigns.get', { path: { id } }),
  validate: (id) => call('drafts.validate', { path: { id } }),
  start: (id, version, options) => call('campaigns.start', { path: { id }, body: { version } }, options),
  duplicate: (id, options) => call('campaigns.duplicate', { path: { id } }, options),
}

const whatsapp: ChannelCalls = {
  wizard: 'campaigns/whatsapp-campaign-creation',
  reviewStep: 4,
  mayEdit: () => mayCall('waDrafts.save'),
  mayStart: () => mayCall('waCampaigns.start'),
  get: (id) => call('waCampaigns.get', { path: { id } }),
  validate: (id) => call('waDrafts.validate', { path: { id } }),
  start: (id, version, options) => call('waCampaigns.start', { path: { id }, body: { version } }, options),
  duplicate: duplicateWhatsapp,
}

const callsByChannel: Partial<Record<Channel, ChannelCalls>> = { sms, whatsapp }

/** API calls by channel; pausing, scheduling and discarding need only the id. */
export function callsOf(channel: Channel): ChannelCalls {
  return callsByChannel[channel] ?? sms
}

/** The same audience, template and values again; what was tied to a date is left out. */
async function duplicateWhatsapp(id: string, options: WriteOnce): Promise<{ _id: string }> {
  const saved = await call('waDrafts.get', { path: { id } })
  const { _id, status: _status, savedAt: _savedAt, version: _version, expiresAt: _expiresAt, ...draft } = saved
  const campaignName = truncate(`Copy of ${draft.campaignName}`, 120)
  const body = { ...draft, campaignName, schedule: { timezone: draft.schedule.timezone } }
  return call('waDrafts.create', { body }, options)
}

/** What a campaign that is ready, or scheduled, costs now. */
export function useStartEstimate({ id, channel }: { id: string; channel: Channel }) {
  const isWhatsapp = channel === 'whatsapp'
  const input = { path: { id } }
  const ofWhatsapp = useApi('waDrafts.estimate', input, { enabled: isWhatsapp, staleTime: 0 })
  const ofOthers = useApi('drafts.estimate', input, { enabled: !isWhatsapp, staleTime: 0 })
  return isWhatsapp ? ofWhatsapp : ofOthers
}

/** One campaign in depth, live; of a channel that is not known yet by the call that answers for every one. */
export function useCampaignDetail({ id, channel }: { id: string; channel: Channel | undefined }) {
  const isWhatsapp = channel === 'whatsapp'
  const input = { path: { id } }
  const ofWhatsapp = useApi('waCampaigns.get', input, { enabled: isWhatsapp, refetchInterval: 5000 })
  const ofOthers = useApi('campaigns.get', input, { enabled: !isWhatsapp, refetchInterval: 5000 })
  return isWhatsapp ? ofWhatsapp : ofOthers
}
