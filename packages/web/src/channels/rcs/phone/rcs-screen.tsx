import { firstGraphemes } from '@carillon/contract/text'
import clsx from 'clsx'
import { ArrowLeft, BadgeCheck, ChevronLeft, CirclePlus, EllipsisVertical, SendHorizontal, Smile } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import { initialsOf } from '../../../lib/format.ts'
import type { PhoneSystem } from '../../../ui/phone/device.tsx'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import { isOwnMedia } from './own-media.ts'
import { RcsCard } from './rcs-card.tsx'
import { RcsCarousel } from './rcs-carousel.tsx'
import type { RcsMessage, RcsPhoneSuggestion } from './rcs-message.ts'
import { Part, type RcsTouch } from './rcs-part.tsx'
import { RcsText } from './rcs-text.tsx'
import { Suggestions, type Tap } from './rcs-suggestions.tsx'
import './rcs-skin.css'
import './rcs.css'

type RcsScreenProps = RcsTouch & { message: RcsMessage; system: PhoneSystem; day?: string; time: string }

/** A conversation with a verified business in the phone's messaging app. */
export function RcsScreen({ message, system, day = 'Today', time, ...touch }: RcsScreenProps) {
  const [tap, setTap] = useState<Tap>()
  const { suggestions = [] } = message
  const tapped = tap && tappedOf(message, tap)
  const isAnswered = tapped?.kind === 'reply'
  return (
    <>
      <Bar message={message} system={system} />
      <div className="phone-body" tabIndex={0} role="group" aria-label="Conversation">
        <p className="phone-day">
          <b>{day}</b> {time}
        </p>
        <Content message={message} onTap={setTap} {...touch} />
        {isAnswered ? (
          <>
            <p dir="auto" className="phone-rcs-answer">
              {tapped.text || 'Suggestion'}
            </p>
            <button type="button" data-stays autoFocus className="phone-rcs-again" onClick={() => setTap(undefined)}>
              Show suggestions again
            </button>
          </>
        ) : suggestions.length > 0 ? (
          <Suggestions
            suggestions={suggestions}
            part="suggestions"
            isFocused={touch.focusedPart === 'suggestions'}
            onTap={setTap}
          />
        ) : null}
      </div>
      {tap && tapped && !isAnswered ? (
        <Effect tap={tap} effect={tapped.effect} onPart={touch.onPart} onClose={() => setTap(undefined)} />
      ) : null}
      <div aria-hidden className="phone-rcs-compose">
        <CirclePlus />
        <span>
          <em>RCS message</em>
          <Smile />
        </span>
        <SendHorizontal />
      </div>
    </>
  )
}

function Bar({ message: { sender, color, logoUrl, isVerified }, system }: Pick<RcsScreenProps, 'message' | 'system'>) {
  const style: CSSProperties & Record<'--p-brand', string | undefined> = { '--p-brand': color }
  return (
    <div aria-hidden className="phone-bar phone-rcs-bar" style={style}>
      {system === 'ios' ? <ChevronLeft /> : <ArrowLeft />}
      <span className="phone-avatar">
        {logoUrl && isOwnMedia(logoUrl) ? (
          <img src={logoUrl} alt="" />
        ) : (
          firstGraphemes(initialsOf(sender || 'Business'), 1)
        )}
      </span>
      <span className="phone-rcs-sender">
        <span className="phone-name">{sender || 'Your bot'}</span>
        {isVerified ? <BadgeCheck className="phone-rcs-verified" /> : null}
      </span>
      {system === 'ios' ? <span className="size-5.5" /> : <EllipsisVertical className="ml-auto" />}
    </div>
  )
}

type ContentProps = RcsTouch & { message: RcsMessage; onTap: (tap: Tap) => void }

function Content({ message, ...touch }: ContentProps) {
  const { pieces, cards = [], isCarousel, layout } = message
  const [card] = cards
  if (isCarousel) return <RcsCarousel cards={cards} layout={layout} {...touch} />
  if (card) {
    const isBeside = layout?.orientation === 'HORIZONTAL' && card.media !== undefined
    return (
      <div
        className={clsx(
          'phone-rcs-card is-alone',
          isBeside && (layout.alignment === 'RIGHT' ? 'is-beside is-right' : 'is-beside'),
        )}
      >
        <RcsCard card={card} index={0} layout={layout} {...touch} />
      </div>
    )
  }
  const { focusedVariable, onVariable, focusedPart, onPart } = touch
  return (
    <Part part="body" className="phone-bubble message-text" focusedPart={focusedPart} onPart={onPart}>
      {pieces.length === 0 ? (
        <span className="phone-faint">Your message</span>
      ) : (
        <RcsText pieces={pieces} focusedVariable={focusedVariable} onVariable={onVariable} />
      )}
    </Part>
  )
}

type EffectProps = { tap: Tap; effect: string; onPart: RcsTouch['onPart']; onClose: () => void }

/** What happens after a tap, in a sheet at the bottom of the phone. */
function Effect({ tap, effect, onPart, onClose }: EffectProps) {
  return (
    <div className="phone-rcs-sheet">
      <p role="status">{effect}</p>
      <div>
        {onPart ? (
          <button type="button" onClick={() => onPart(tap.part)}>
            Edit
          </button>
        ) : null}
        <button type="button" data-stays autoFocus onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

/** The tapped suggestion as it is now; undefined once it was removed. */
function tappedOf({ cards, suggestions }: RcsMessage, { part, index }: Tap): RcsPhoneSuggestion | undefined {
  const card = cardIndexOf(part)
  return (card === undefined ? suggestions : cards?.[card]?.suggestions)?.[index]
}

function cardIndexOf(part: MessagePart): number | undefined {
  const index = /^card\.(\d+)\./.exec(part)?.[1]
  return index === undefined ? undefined : Number(index)
}
