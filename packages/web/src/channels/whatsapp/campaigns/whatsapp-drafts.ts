import type { WhatsappDraft } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { call } from '../../../lib/call.ts'
import type { DraftStore } from '../../../features/campaigns/wizard/use-draft.ts'
import { blankWhatsappDraft } from './whatsapp-draft-state.ts'

export const whatsappDrafts: DraftStore<WhatsappDraft> = {
  blank: blankWhatsappDraft,
  only: ({ _id, status: _status, savedAt: _savedAt, version: _version, ...draft }) => draft,
  create: (body, options) => call('waDrafts.create', { body }, options),
  save: ({ id, version }, body) => call('waDrafts.save', { path: { id }, query: { version }, body }),
  read: 'waDrafts.get',
  refreshes: ['waDrafts.estimate', 'waCampaigns.list', 'campaigns.list'],
}
