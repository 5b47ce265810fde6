import type { SavedSmsDraft } from '@carillon/contract/campaign-drafts'
import { toSmsDraft } from '../../../channels/sms/sms-draft.ts'
import { readDraft, type CampaignRow } from '../campaigns.queries.ts'
import { presentSaved } from './drafts.ts'

export function presentSmsDraft(campaign: CampaignRow): SavedSmsDraft {
  return { ...toSmsDraft(readDraft(campaign)), ...presentSaved(campaign) }
}
