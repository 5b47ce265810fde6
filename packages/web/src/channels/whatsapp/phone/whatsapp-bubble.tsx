import clsx from 'clsx'
import {
  Copy,
  ExternalLink,
  FileText,
  Image,
  List,
  MapPin,
  Phone,
  Play,
  Reply,
  Smartphone,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MessagePiece } from '../../../ui/phone/pieces.ts'
import type {
  WhatsappMessage,
  WhatsappPart,
  WhatsappPhoneButton,
  WhatsappPhoneCard,
  WhatsappPhoneHeader,
} from './whatsapp-message.ts'
import { WhatsappText } from './whatsapp-text.tsx'

export type WhatsappTouch = {
  /** The part whose field has the focus, outlined. */
  focusedPart?: WhatsappPart | undefined
  focusedVariable?: string | undefined
  onVariable?: ((variable: string) => void) | undefined
  /** Called when a part is pressed, to focus its field. */
  onPart?: ((part: WhatsappPart) => void) | undefined
}

type WhatsappBubbleProps = WhatsappTouch & { message: WhatsappMessage; time: string }

/** A business message: header, text, footer, buttons, and cards side by side. */
export function WhatsappBubble({ message, time, ...touch }: WhatsappBubbleProps) {
  const { header, pieces, footer, buttons = [], cards = [], folds } = message
  return (
    <>
      <div
        className={clsx(
          'phone-wa-bubble',
          header && header.kind !== 'text' && 'has-media',
          cards.length > 0 && 'is-wide',
        )}
      >
        {header ? (
          <Part part="header" {...touch}>
            <Header header={header} {...touch} />
          </Part>
        ) : null}
        <div className="phone-wa-text">
          <Part part="body" {...touch}>
            <Body pieces={pieces} folds={folds} {...touch} />
          </Part>
          <div className="phone-wa-meta">
            {footer ? (
              <Part part="footer" {...touch}>
                {footer}
              </Part>
            ) : null}
            <time>{time}</time>
          </div>
        </div>
        {buttons.length > 0 ? (
          <Part part="buttons" {...touch}>
            <Buttons buttons={buttons} />
          </Part>
        ) : null}
      </div>
      {cards.length > 0 ? (
        <Part part="cards" {...touch}>
          <Cards cards={cards} {...touch} />
        </Part>
      ) : null}
    </>
  )
}

function Part({ part, focusedPart, onPart, children }: WhatsappTouch & { part: WhatsappPart; children: ReactNode }) {
  return (
    <div
      dir={part === 'body' || part === 'footer' ? 'auto' : undefined}
      className={clsx(
        'phone-wa-part',
        `is-${part}`,
        part === 'body' && 'message-text',
        focusedPart === part && 'phone-hit',
      )}
      onClick={onPart ? () => onPart(part) : undefined}
    >
      {children}
    </div>
  )
}

type BodyProps = WhatsappTouch & { pieces: readonly MessagePiece[]; folds?: boolean | undefined }

function Body({ pieces, folds, focusedVariable, onVariable }: BodyProps) {
  if (pieces.length === 0) return <span className="phone-faint">Your message</span>
  return <WhatsappText pieces={pieces} folds={folds} focusedVariable={focusedVariable} onVariable={onVariable} />
}

const mediaIcons = { image: Image, video: Play, document: FileText } as const

function Header({ header, focusedVariable, onVariable }: WhatsappTouch & { header: WhatsappPhoneHeader }) {
  if (header.kind === 'text') {
    return (
      <p dir="auto" className="phone-wa-title">
        <WhatsappText pieces={header.pieces} focusedVariable={focusedVariable} onVariable={onVariable} />
      </p>
    )
  }
  if (header.kind === 'location') {
    return (
      <div className="phone-wa-place">
        <span className="phone-wa-map">
          <MapPin aria-hidden />
        </span>
        <b dir="auto">{header.name ?? 'Place'}</b>
        <small dir="auto">{header.address ?? 'Its address'}</small>
      </div>
    )
  }
  if (header.kind === 'document') {
    return (
      <div className="phone-wa-document">
        <FileText aria-hidden />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {header.name ?? 'Document.pdf'}
        </span>
      </div>
    )
  }
  return <Media {...header} kind={header.kind} />
}

function Media({ kind, url, name }: { kind: 'image' | 'video'; url?: string | undefined; name?: string | undefined }) {
  const [failed, setFailed] = useState<string>()
  const Icon = mediaIcons[kind]
  const isShown = url !== undefined && failed !== url
  return (
    <div className="phone-wa-media">
      {isShown && kind === 'image' ? <img src={url} alt={name ?? ''} onError={() => setFailed(url)} /> : null}
      {isShown && kind === 'video' ? <video src={url} muted playsInline onError={() => setFailed(url)} /> : null}
      {isShown && kind === 'image' ? null : (
        <span className="phone-wa-media-mark">
          <Icon aria-hidden />
        </span>
      )}
    </div>
  )
}

const buttonIcons: Record<WhatsappPhoneButton['kind'], LucideIcon> = {
  reply: Reply,
  url: ExternalLink,
  phone: Phone,
  copy: Copy,
  autofill: Smartphone,
}

/** Up to three buttons; with more, two are shown and the rest is behind 'See all options'. */
function Buttons({ buttons }: { buttons: readonly WhatsappPhoneButton[] }) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = buttons.length > 3 && !isOpen ? buttons.slice(0, 2) : buttons
  return (
    <div className="phone-wa-buttons">
      {shown.map(({ kind, text }, index) => {
        const Icon = buttonIcons[kind]
        return (
          <span key={index}>
            <Icon aria-hidden />
            <span dir="auto" className="truncate">
              {text || 'Button'}
            </span>
          </span>
        )
      })}
      {shown.length < buttons.length ? (
        <button type="button" onClick={() => setIsOpen(true)}>
          <List aria-hidden /> See all options
        </button>
      ) : null}
    </div>
  )
}

function Cards({ cards, ...touch }: WhatsappTouch & { cards: readonly WhatsappPhoneCard[] }) {
  return (
    <ul className="phone-wa-cards" tabIndex={0} aria-label="Cards">
      {cards.map(({ header, pieces, buttons }, index) => (
        <li key={index} className="phone-wa-card">
          <Header header={header} {...touch} />
          {pieces.length > 0 ? (
            <p dir="auto" className="phone-wa-text message-text">
              <WhatsappText pieces={pieces} />
            </p>
          ) : null}
          <Buttons buttons={buttons} />
        </li>
      ))}
    </ul>
  )
}
