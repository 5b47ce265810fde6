import { firstGraphemes } from '@carillon/contract/text'
import {
  ArrowLeft,
  Camera,
  CheckCheck,
  ChevronLeft,
  EllipsisVertical,
  Mic,
  Paperclip,
  Phone,
  Plus,
  Smile,
} from 'lucide-react'
import { initialsOf } from '../../../lib/format.ts'
import type { PhoneSystem } from '../../../ui/phone/device.tsx'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import { WhatsappBubble, type WhatsappTouch } from './whatsapp-bubble.tsx'
import type { WhatsappMessage } from './whatsapp-message.ts'
import './whatsapp.css'
import './whatsapp-replies.css'

type WhatsappScreenProps = WhatsappTouch & { message: WhatsappMessage; system: PhoneSystem; day?: string; time: string }

/** A conversation with a business, as shown to the customer. */
export function WhatsappScreen({ message, system, day = 'Today', time, ...touch }: WhatsappScreenProps) {
  const { sender, picture, answer } = message
  return (
    <>
      <span aria-hidden className="phone-wa-wall" />
      <div aria-hidden className="phone-bar">
        {system === 'ios' ? <ChevronLeft /> : <ArrowLeft />}
        <span className="phone-wa-logo">
          {picture ? <img src={picture} alt="" /> : firstGraphemes(initialsOf(sender || 'Business'), 1)}
        </span>
        <span className="phone-wa-name">
          <b>{sender || 'Your business'}</b>
          <small>Business account</small>
        </span>
        <Phone className="ml-auto" />
        {system === 'ios' ? null : <EllipsisVertical />}
      </div>
      <div className="phone-body">
        <p className="phone-day">{day}</p>
        <WhatsappBubble message={message} time={time} {...touch} />
        {answer ? (
          <div className="phone-wa-answer">
            <span className="phone-wa-quote">
              <b>{sender}</b>
              <span dir="auto">{textOfPieces(message.pieces)}</span>
            </span>
            <span className="phone-wa-said">
              {answer}
              <time>
                {time} <CheckCheck aria-hidden />
              </time>
            </span>
          </div>
        ) : null}
      </div>
      <div aria-hidden className="phone-wa-input">
        {system === 'ios' ? <Plus /> : null}
        <span>
          {system === 'ios' ? null : <Smile />}
          <em>Message</em>
          <Paperclip />
          <Camera />
        </span>
        <i>
          <Mic />
        </i>
      </div>
    </>
  )
}
