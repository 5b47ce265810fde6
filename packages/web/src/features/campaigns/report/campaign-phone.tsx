import type { CampaignDetail } from '@carillon/contract/campaigns'
import { mayCall } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'
import { MessagePhone, piecesForAll, WhatsappPhone } from './message-phone.tsx'
import { whatsappPieces, type WhatsappMessage } from '../../../channels/whatsapp/phone/whatsapp-message.ts'
import { filledMessage } from '../../../channels/whatsapp/campaigns/whatsapp-fill.ts'

type CampaignPhoneProps = { campaign: CampaignDetail; scale?: number | undefined }

/** The campaign's message on the phone; variables show their column names. */
export function CampaignPhone({ campaign, scale }: CampaignPhoneProps) {
  if (campaign.channel === 'whatsapp') return <WhatsappCampaignPhone campaign={campaign} scale={scale} />
  return (
    <MessagePhone
      channel={campaign.channel}
      header={campaign.header}
      category={campaign.category}
      pieces={piecesForAll(campaign.body, campaign.variables, campaign.channel)}
      at={campaign.startedAt}
      scale={scale}
    />
  )
}

/** Header, buttons and cards come from the template; while it loads, or if it was deleted, only the text is shown. */
function WhatsappCampaignPhone({ campaign, scale }: CampaignPhoneProps) {
  const { templateId, audienceId, accountName, header, body, startedAt } = campaign
  const once = { staleTime: 60_000 }
  const enabled = templateId !== null && mayCall('waTemplates.get')
  const template = useApi('waTemplates.get', { path: { id: templateId ?? '' } }, { ...once, enabled })
  const draft = useApi('waDrafts.get', { path: { id: campaign._id } }, { ...once, enabled })
  const audience = useApi(
    'audience.get',
    { path: { id: audienceId ?? '' } },
    { ...once, enabled: enabled && audienceId !== null },
  )
  const sender = accountName || header
  const message: WhatsappMessage =
    template.data && draft.data
      ? filledMessage(template.data, {
          values: draft.data.values,
          columns: audience.data?.columns ?? [],
          row: 'names',
          sender,
        })
      : { channel: 'whatsapp', sender, pieces: whatsappPieces(body, () => undefined) }
  return <WhatsappPhone message={message} at={startedAt} scale={scale} />
}
