import type { Channel } from '@carillon/contract/channels'
import type { MessageBody } from '@carillon/contract/conversation-records'
import clsx from 'clsx'
import { Ban, Copy, CornerDownLeft, ExternalLink, MapPin, Phone, UserRound, type LucideIcon } from 'lucide-react'
import { formatPhone } from '../../../lib/format.ts'
import { typeNames } from '../chat-labels.ts'
import { MediaBox } from './media-box.tsx'
import { MessageText } from './message-text.tsx'

type BubbleBodyProps = { chatId: string; channel: Channel; body: MessageBody }

/** What a message shows, the same for every channel. */
export function BubbleBody({ chatId, channel, body }: BubbleBodyProps) {
  const { type, text, media, location, contacts = [], cards, buttons = [] } = body
  if (body.deletedAt) {
    return (
      <p className="flex items-center gap-1.5 text-muted-foreground italic">
        <Ban aria-hidden className="size-3.5" /> This message was deleted
      </p>
    )
  }
  return (
    <>
      {body.isForwarded ? <p className="text-caption text-muted-foreground italic">Forwarded</p> : null}
      <SmallPrint text={body.header} className="font-semibold" />
      {media ? <MediaBox chatId={chatId} type={type} media={media} caption={text} /> : null}
      {location ? <Place location={location} /> : null}
      {contacts.map((contact, index) => (
        <ContactCard key={index} contact={contact} />
      ))}
      <Words channel={channel} body={body} />
      {cards ? <Cards cards={cards} channel={channel} /> : null}
      <SmallPrint text={body.footer} className="mt-1 text-caption text-muted-foreground" />
      {buttons.length > 0 ? <Buttons buttons={buttons} /> : null}
    </>
  )
}

function SmallPrint({ text, className }: { text: string | undefined; className: string }) {
  if (!text) return null
  return (
    <p dir="auto" className={clsx('message-text [overflow-wrap:anywhere]', className)}>
      {text}
    </p>
  )
}

/** The text or caption; the kind of a message that shows nothing else. */
function Words({ channel, body }: Omit<BubbleBodyProps, 'chatId'>) {
  const { type, text, reaction } = body
  if (type === 'reaction') return <p>{reaction ? `Reacted with ${reaction}` : 'Removed a reaction'}</p>
  // The text sums up what is shown already.
  if (body.location ?? body.contacts) return null
  if (text !== '') {
    return (
      <div className={body.media ? 'mt-1.5' : undefined}>
        <MessageText text={text} channel={channel} />
      </div>
    )
  }
  return (body.media ?? body.cards) ? null : <p className="text-muted-foreground italic">{typeNames[type]}</p>
}

function Place({ location }: { location: NonNullable<MessageBody['location']> }) {
  const { latitude, longitude, name, address } = location
  return (
    <a
      href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
      target="_blank"
      rel="noopener noreferrer"
      className="flex w-72 max-w-full items-center gap-2.5 rounded-lg border border-border bg-background p-2.5 text-foreground"
    >
      <span className="grid size-8 shrink-0 place-items-center rounded-md bg-secondary text-muted-foreground">
        <MapPin aria-hidden className="size-4" />
      </span>
      <span className="min-w-0">
        <span dir="auto" className="message-text block truncate text-dense font-medium">
          {name ?? 'Location'}
        </span>
        <span className="block truncate text-caption text-muted-foreground">
          {address ?? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}
        </span>
      </span>
    </a>
  )
}

function ContactCard({ contact }: { contact: NonNullable<MessageBody['contacts']>[number] }) {
  return (
    <div className="flex w-72 max-w-full items-center gap-2.5 rounded-lg border border-border bg-background p-2.5 text-foreground">
      <span className="grid size-8 shrink-0 place-items-center rounded-full bg-secondary text-muted-foreground">
        <UserRound aria-hidden className="size-4" />
      </span>
      <span className="min-w-0">
        <span dir="auto" className="message-text block truncate text-dense font-medium">
          {contact.name}
        </span>
        <span className="block truncate font-mono text-caption text-muted-foreground">
          {contact.phoneNumbers.map(formatPhone).join(', ')}
        </span>
      </span>
    </div>
  )
}

type ButtonOfMessage = NonNullable<MessageBody['buttons']>[number]

const buttonIcons: Record<ButtonOfMessage['kind'], LucideIcon | undefined> = {
  reply: undefined,
  url: ExternalLink,
  call: Phone,
  location: MapPin,
  calendar: undefined,
  copy: Copy,
}

/** Buttons as the person got them, the tapped one marked. */
function Buttons({ buttons }: { buttons: readonly ButtonOfMessage[] }) {
  const isRow = buttons.length === 2
  return (
    <ul
      aria-label="Buttons"
      className={clsx(
        '-mx-3 mt-2 -mb-2 grid divide-[color-mix(in_oklab,var(--foreground)_9%,transparent)] border-t border-[color-mix(in_oklab,var(--foreground)_9%,transparent)] text-center text-dense font-medium',
        isRow ? 'grid-cols-2 divide-x' : 'divide-y',
      )}
    >
      {buttons.map(({ kind, text, isTapped }, index) => {
        const Icon = isTapped ? CornerDownLeft : buttonIcons[kind]
        return (
          <li
            key={index}
            className={clsx(
              'flex min-h-8.5 min-w-0 items-center justify-center gap-1.5 px-2 py-1',
              isTapped ? 'text-brand-text' : 'text-muted-foreground',
            )}
          >
            {Icon ? <Icon aria-hidden className="size-3.5" /> : null}
            <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {text}
            </span>
            {isTapped ? <span className="sr-only">(tapped)</span> : null}
          </li>
        )
      })}
    </ul>
  )
}

function Cards({ cards, channel }: { cards: NonNullable<MessageBody['cards']>; channel: Channel }) {
  return (
    <ul
      aria-label="Cards"
      tabIndex={0}
      className="scrollbar-none -mx-1 mt-1 flex max-w-90 gap-2 overflow-x-auto px-1 pb-1"
    >
      {cards.map((card, index) => (
        <li key={index} className="w-52 shrink-0 overflow-hidden rounded-lg border border-border bg-card px-3 py-2">
          <p dir="auto" className="message-text font-medium [overflow-wrap:anywhere]">
            {card.title}
          </p>
          <MessageText text={card.text} channel={channel} />
          {card.buttons.length > 0 ? <Buttons buttons={card.buttons} /> : null}
        </li>
      ))}
    </ul>
  )
}
