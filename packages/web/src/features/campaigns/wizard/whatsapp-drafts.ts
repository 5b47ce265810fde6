import type { WhatsappDraft } from '@carillon/contract/whatsapp-campaigns'
import { call } from '../../../lib/call.ts'
import type { DraftStore } from './use-draft.ts'
import { blankWhatsappDraft, whatsappDraftOf } from './whatsapp-draft-state.ts'

export const whatsappDrafts: DraftStore<WhatsappDraft> = {
  blank: blankWhatsappDraft,
  only: whatsappDraftOf,
  create: (body) => call('waDrafts.create', { body }),
  save: (id, body) => call('waDrafts.save', { path: { id }, body }),
  read: 'waDrafts.get',
  refreshes: ['waDrafts.estimate', 'waCampaigns.list', 'campaigns.list'],
}
