import type { CampaignDetail } from '@carillon/contract/campaigns'
import { MessagePhone } from './message-phone.tsx'

type CampaignPhoneProps = { campaign: CampaignDetail; scale?: number | undefined }

/** The campaign's message on a phone, without personal values. */
export function CampaignPhone({ campaign, scale }: CampaignPhoneProps) {
  const { channel, header, accountName, category, body, variables, startedAt } = campaign
  const message = { header, accountName, category, text: { body, variables }, at: startedAt }
  return <MessagePhone channel={channel} message={message} campaign={campaign} scale={scale} />
}
