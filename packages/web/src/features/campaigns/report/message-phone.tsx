import type { Channel } from '@carillon/contract/channels'
import type { SentPhoneProps } from '../../../channels/channel-campaigns.ts'
import { channels } from '../../../channels/index.ts'

/** A message on the recipient's phone, as its channel shows it. */
export function MessagePhone({ channel, ...shown }: SentPhoneProps & { channel: Channel }) {
  const { campaigns } = channels[channel]
  return campaigns ? <campaigns.Phone {...shown} /> : null
}
