import type { SentMessage, SentPhoneProps } from '../../channel-campaigns.ts'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'
import { SentPhone } from '../../parts/sent-phone.tsx'
import { piecesOf } from '../phone/dlt-pieces.ts'
import { isSmsCategory, senderName } from '../sender-name.ts'

/** An SMS on its recipient's phone; variables from columns show the variable's name. */
export function SmsSentPhone({ message: { header, category, text, at }, scale }: SentPhoneProps) {
  const sender = senderName(header, isSmsCategory(category) ? category : 'service_implicit')
  return <SentPhone scale={scale} at={at} message={{ channel: 'sms', sender, pieces: piecesFor(text) }} />
}

function piecesFor(text: SentMessage['text']): readonly MessagePiece[] {
  if ('pieces' in text) return text.pieces
  return piecesOf(
    text.body,
    text.variables.map(({ name, column, fallback }) => ({ name, value: column === undefined ? fallback : undefined })),
  )
}
