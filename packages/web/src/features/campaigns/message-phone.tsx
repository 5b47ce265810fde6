import type { BodyVariable, Campaign } from '@carillon/contract/campaign-records'
import { isSmsCategory, senderName } from '../../channels/sms/sender-name.ts'
import { formatDay, formatTime } from '../../lib/format.ts'
import { MiniPhone } from '../../ui/phone/mini-phone.tsx'
import { piecesOf, type MessagePiece } from '../../ui/phone/pieces.ts'

type MessagePhoneProps = {
  header: string
  category: Campaign['category']
  /** The text; a template's variables stand in it under their names. */
  pieces: readonly MessagePiece[]
  /** When it came. */
  at?: string | null | undefined
  scale?: number
}

/** A text, or a template with its variables marked, on the recipient's phone, under the name the network shows for its sender. */
export function MessagePhone({ header, category, pieces, at, scale = 0.6 }: MessagePhoneProps) {
  return (
    <MiniPhone
      scale={scale}
      {...(at ? { day: dayOf(at), time: formatTime(at) } : {})}
      message={{
        channel: 'sms',
        sender: senderName(header, isSmsCategory(category) ? category : 'service_implicit'),
        pieces,
      }}
    />
  )
}

/** What all recipients get: a variable that comes from a column stands under its name. */
export function piecesForAll(body: string, variables: readonly BodyVariable[]): MessagePiece[] {
  return piecesOf(
    body,
    variables.map(({ name, column, fallback }) => ({ name, value: column === undefined ? fallback : undefined })),
  )
}

function dayOf(at: string): string {
  return formatDay(at) === formatDay(new Date()) ? 'Today' : formatDay(at)
}
