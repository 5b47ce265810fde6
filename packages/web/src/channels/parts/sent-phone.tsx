import { formatDay, formatTime } from '../../lib/format.ts'
import { MiniPhone } from '../phone/mini-phone.tsx'
import type { PhoneMessage } from '../phone/phone-message.ts'
import { usualScale } from './sent-phone-scale.ts'

type SentPhoneProps = { message: PhoneMessage; at?: string | null | undefined; scale?: number | undefined }

/** A sent message on a small phone, with its arrival time. */
export function SentPhone({ message, at, scale = usualScale }: SentPhoneProps) {
  return <MiniPhone scale={scale} {...(at ? { day: dayOf(at), time: formatTime(at) } : {})} message={message} />
}

function dayOf(at: string): string {
  return formatDay(at) === formatDay(new Date()) ? 'Today' : formatDay(at)
}
