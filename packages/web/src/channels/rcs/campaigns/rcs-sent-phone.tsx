import type { CampaignDetail } from '@carillon/contract/campaigns'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'
import type { SentMessage, SentPhoneProps } from '../../channel-campaigns.ts'
import { SentPhone } from '../../parts/sent-phone.tsx'
import type { RcsMessage } from '../phone/rcs-message.ts'
import { brandOf, useRcsBots } from '../use-bots.ts'
import { filledMessage, variablesOf } from './rcs-values.ts'

/** An RCS message on its recipient's phone: the whole message of a campaign, else its text. */
export function RcsSentPhone({ campaign, ...shown }: SentPhoneProps) {
  if (campaign) return <CampaignPhone campaign={campaign} {...shown} />
  const { message, scale } = shown
  return <SentPhone message={textMessage(message)} at={message.at} scale={scale} />
}

type CampaignPhoneProps = Omit<SentPhoneProps, 'campaign'> & { campaign: CampaignDetail }

/** Cards and suggestions come from the template; while it loads, or if it was deleted, only the text is shown. */
function CampaignPhone({ campaign: { _id, templateId, audienceId, senderId }, message, scale }: CampaignPhoneProps) {
  const once = { staleTime: 60_000 }
  const enabled = templateId !== null && mayCall('rcsTemplates.get')
  const { bots } = useRcsBots()
  const template = useApi('rcsTemplates.get', { path: { id: templateId ?? '' } }, { ...once, enabled })
  const draft = useApi('drafts.get', { path: { id: _id } }, { ...once, enabled })
  const audience = useApi(
    'audience.get',
    { path: { id: audienceId ?? '' } },
    { ...once, enabled: enabled && audienceId !== null },
  )
  const bot = bots.find((one) => one._id === senderId)
  const brand = bot ? brandOf(bot) : { sender: senderOf(message) }
  const whole =
    template.data && draft.data
      ? filledMessage(template.data, {
          names: listRcsVariables(template.data),
          sources: variablesOf(draft.data.legs[0]),
          columns: audience.data?.columns ?? [],
          row: 'names',
          brand,
        })
      : textMessage(message)
  return <SentPhone message={whole} at={message.at} scale={scale} />
}

function textMessage(message: SentMessage): RcsMessage {
  const { text } = message
  const pieces = 'pieces' in text ? text.pieces : bracedPieces(text.body, (name) => ({ label: name }))
  return { channel: 'rcs', sender: senderOf(message), pieces }
}

function senderOf({ accountName, header }: SentMessage): string {
  return accountName || header
}
