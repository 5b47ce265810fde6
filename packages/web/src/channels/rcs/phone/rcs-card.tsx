import clsx from 'clsx'
import type { CardPart } from '../../../ui/phone/pieces.ts'
import type { RcsMessage, RcsPhoneCard } from './rcs-message.ts'
import { RcsMedia } from './rcs-media.tsx'
import { Part, type RcsTouch } from './rcs-part.tsx'
import { RcsText } from './rcs-text.tsx'
import { Suggestions, type Tap } from './rcs-suggestions.tsx'

export type RcsCardTouch = RcsTouch & { onTap: (tap: Tap) => void }

type CardProps = RcsCardTouch & { card: RcsPhoneCard; index: number; layout: RcsMessage['layout'] }

const heights = { SHORT: 'is-short', MEDIUM: 'is-medium', TALL: 'is-tall' } as const

/** A rich card: media, title, description and suggestions. */
export function RcsCard({ card, index, layout, onTap, ...touch }: CardProps) {
  const { media, title, description, suggestions } = card
  const { focusedPart, focusedVariable, onVariable } = touch
  const partOf = (part: CardPart) => `card.${index}.${part}` as const
  const texts = { focusedVariable, onVariable }
  const isEmpty = !media && title.length + description.length === 0
  return (
    <>
      {media ? (
        <Part
          {...touch}
          part={partOf('media')}
          className={clsx('phone-rcs-media', heights[layout?.height ?? 'MEDIUM'])}
        >
          <RcsMedia media={media} />
        </Part>
      ) : null}
      <div className="phone-rcs-side">
        {title.length > 0 ? (
          <Part {...touch} part={partOf('title')} className="phone-rcs-title">
            <RcsText pieces={title} {...texts} />
          </Part>
        ) : null}
        {description.length > 0 || isEmpty ? (
          <Part {...touch} part={partOf('description')} className="phone-rcs-description message-text">
            {isEmpty ? <span className="phone-faint">Your card</span> : <RcsText pieces={description} {...texts} />}
          </Part>
        ) : null}
        {suggestions.length > 0 ? (
          <Suggestions
            suggestions={suggestions}
            part={partOf('suggestions')}
            isFocused={focusedPart === partOf('suggestions')}
            onTap={onTap}
          />
        ) : null}
      </div>
    </>
  )
}
