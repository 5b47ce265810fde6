import type { SmsDraft } from '@carillon/contract/channels/sms/sms-drafts'
import { call } from '../../../lib/call.ts'
import type { DraftStore } from '../../../features/campaigns/wizard/use-draft.ts'
import { blankSmsDraft } from './sms-draft-state.ts'

export const smsDrafts: DraftStore<SmsDraft> = {
  blank: blankSmsDraft,
  only: ({ _id, status: _status, savedAt: _savedAt, version: _version, ...draft }) => draft,
  create: (body, options) => call('drafts.create', { body }, options),
  save: ({ id, version }, body) => call('drafts.save', { path: { id }, query: { version }, body }),
  read: 'drafts.get',
  refreshes: ['drafts.estimate', 'drafts.preview', 'smsCampaigns.list', 'campaigns.list'],
}
