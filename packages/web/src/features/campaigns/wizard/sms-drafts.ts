import type { CampaignDraft } from '@carillon/contract/campaign-records'
import { call } from '../../../lib/call.ts'
import { blankDraft, draftOf } from './draft-state.ts'
import type { DraftStore } from './use-draft.ts'

export const smsDrafts: DraftStore<CampaignDraft> = {
  blank: blankDraft,
  only: draftOf,
  create: (body) => call('drafts.create', { body }),
  save: (id, body) => call('drafts.save', { path: { id }, body }),
  read: 'drafts.get',
  refreshes: ['drafts.estimate', 'drafts.preview', 'smsCampaigns.list', 'campaigns.list'],
}
