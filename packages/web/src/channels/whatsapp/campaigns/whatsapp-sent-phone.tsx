import type { CampaignDetail } from '@carillon/contract/campaigns'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import type { SentMessage, SentPhoneProps } from '../../channel-campaigns.ts'
import { SentPhone } from '../../parts/sent-phone.tsx'
import type { WhatsappMessage } from '../phone/whatsapp-message.ts'
import { filledMessage } from './whatsapp-fill.ts'
import { valuesOf } from './whatsapp-values.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'

/** A WhatsApp message on its recipient's phone: the whole message of a campaign, else its text. */
export function WhatsappSentPhone({ campaign, ...shown }: SentPhoneProps) {
  if (campaign) return <CampaignPhone campaign={campaign} {...shown} />
  const { message, scale } = shown
  return <SentPhone message={textMessage(message)} at={message.at} scale={scale} />
}

type CampaignPhoneProps = Omit<SentPhoneProps, 'campaign'> & { campaign: CampaignDetail }

/** Header, buttons and cards come from the template; while it loads, or if it was deleted, only the text is shown. */
function CampaignPhone({ campaign: { _id, templateId, audienceId }, message, scale }: CampaignPhoneProps) {
  const once = { staleTime: 60_000 }
  const enabled = templateId !== null && mayCall('waTemplates.get')
  const template = useApi('waTemplates.get', { path: { id: templateId ?? '' } }, { ...once, enabled })
  const draft = useApi('drafts.get', { path: { id: _id } }, { ...once, enabled })
  const audience = useApi(
    'audience.get',
    { path: { id: audienceId ?? '' } },
    { ...once, enabled: enabled && audienceId !== null },
  )
  const whole =
    template.data && draft.data
      ? filledMessage(template.data, {
          values: valuesOf(draft.data.legs[0]),
          columns: audience.data?.columns ?? [],
          row: 'names',
          sender: senderOf(message),
        })
      : textMessage(message)
  return <SentPhone message={whole} at={message.at} scale={scale} />
}

function textMessage(message: SentMessage): WhatsappMessage {
  const { text } = message
  const pieces = 'pieces' in text ? text.pieces : bracedPieces(text.body, () => undefined)
  return { channel: 'whatsapp', sender: senderOf(message), pieces }
}

function senderOf({ accountName, header }: SentMessage): string {
  return accountName || header
}
