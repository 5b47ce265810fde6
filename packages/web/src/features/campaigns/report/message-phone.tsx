import type { BodyVariable, Campaign } from '@carillon/contract/campaign-records'
import type { Channel } from '@carillon/contract/channels'
import { isSmsCategory, senderName } from '../../../channels/sms/sender-name.ts'
import { formatDay, formatTime } from '../../../lib/format.ts'
import { MiniPhone } from '../../../channels/phone/mini-phone.tsx'
import { piecesOf } from '../../../channels/sms/phone/dlt-pieces.ts'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'
import { whatsappPieces, type WhatsappMessage } from '../../../channels/whatsapp/phone/whatsapp-message.ts'

type MessagePhoneProps = {
  channel: Channel
  /** Who it is from: a header, or the name or number of a business. */
  header: string
  category: Campaign['category']
  /** The text; a template's variables stand in it under their names. */
  pieces: readonly MessagePiece[]
  /** When it came. */
  at?: string | null | undefined
  scale?: number | undefined
}

/** A text, or a template with its variables marked, on the recipient's phone, under the name its channel shows for the sender. */
export function MessagePhone({ channel, header, category, pieces, at, scale }: MessagePhoneProps) {
  if (channel === 'whatsapp')
    return <WhatsappPhone message={{ channel, sender: header, pieces }} at={at} scale={scale} />
  const sender = senderName(header, isSmsCategory(category) ? category : 'service_implicit')
  return <MiniPhone scale={scale ?? usualScale} {...whenOf(at)} message={{ channel: 'sms', sender, pieces }} />
}

type WhatsappPhoneProps = { message: WhatsappMessage; at?: string | null | undefined; scale?: number | undefined }

export function WhatsappPhone({ message, at, scale = usualScale }: WhatsappPhoneProps) {
  return <MiniPhone scale={scale} {...whenOf(at)} message={message} />
}

const usualScale = 0.6

function whenOf(at: string | null | undefined): { day?: string; time?: string } {
  return at ? { day: dayOf(at), time: formatTime(at) } : {}
}

/** The message for all recipients: variables from columns show the column name. */
export function piecesForAll(body: string, variables: readonly BodyVariable[], channel: Channel): MessagePiece[] {
  if (channel === 'whatsapp') return whatsappPieces(body, () => undefined)
  return piecesOf(
    body,
    variables.map(({ name, column, fallback }) => ({ name, value: column === undefined ? fallback : undefined })),
  )
}

function dayOf(at: string): string {
  return formatDay(at) === formatDay(new Date()) ? 'Today' : formatDay(at)
}
