import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import { ArrowLeft, ChevronLeft, EllipsisVertical, Search, UserRound } from 'lucide-react'
import { countOf } from '../../../lib/format.ts'
import type { PhoneSystem } from '../../../ui/phone/device.tsx'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import { SmsBubble } from './sms-bubble.tsx'
import type { SmsMessage } from './sms-message.ts'

type SmsScreenProps = {
  message: SmsMessage
  system: PhoneSystem
  /** Default: 'Today'. */
  day?: string
  time: string
  showParts?: boolean | undefined
  pricePerPart?: number | null | undefined
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
}

export function SmsScreen({ message, system, day = 'Today', time, ...bubble }: SmsScreenProps) {
  const { units, encoding, parts, unitsPerPart } = countSmsParts(textOfPieces(message.pieces))
  const alphabet = encoding === 'gsm7' ? 'GSM-7' : 'Unicode'
  const length = parts === 1 ? `${units} of ${unitsPerPart} characters` : `${units} characters`
  return (
    <>
      <div aria-hidden className="phone-bar">
        {system === 'ios' ? <ChevronLeft /> : <ArrowLeft />}
        <span className="phone-avatar">
          <UserRound />
        </span>
        <span className="phone-name">{message.sender}</span>
        {system === 'ios' ? <span className="size-5.5" /> : <PhoneActions />}
      </div>
      <div className="phone-body">
        <p className="phone-day">
          <b>{day}</b> {time}
        </p>
        <SmsBubble pieces={message.pieces} {...bubble} />
        <p className="phone-meta">
          {length} · {alphabet}
          {parts > 1 ? ` · ${countOf(parts, 'part')}` : ''}
        </p>
      </div>
      <p className="phone-no-reply">This sender does not accept replies</p>
    </>
  )
}

function PhoneActions() {
  return (
    <>
      <Search className="ml-auto" />
      <EllipsisVertical />
    </>
  )
}
