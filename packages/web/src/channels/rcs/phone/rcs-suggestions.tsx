import clsx from 'clsx'
import { CalendarPlus, ExternalLink, LocateFixed, MapPin, Phone, type LucideIcon } from 'lucide-react'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import type { RcsPhoneSuggestion } from './rcs-message.ts'

const icons: Record<RcsPhoneSuggestion['kind'], LucideIcon | undefined> = {
  reply: undefined,
  open_url: ExternalLink,
  dial: Phone,
  view_location: MapPin,
  share_location: LocateFixed,
  create_calendar_event: CalendarPlus,
}

/** A tapped suggestion, by its part and index. */
export type Tap = { part: MessagePart; index: number }

type SuggestionsProps = {
  suggestions: readonly RcsPhoneSuggestion[]
  part: MessagePart
  isFocused: boolean
  onTap: (tap: Tap) => void
}

/** Suggestions on a card, or as chips below the message. */
export function Suggestions({ suggestions, part, isFocused, onTap }: SuggestionsProps) {
  const isChips = part === 'suggestions'
  return (
    <ul
      aria-label="Suggestions"
      className={clsx(isChips ? 'phone-rcs-chips' : 'phone-rcs-actions', isFocused && 'phone-hit')}
    >
      {suggestions.map(({ kind, text }, index) => {
        const Icon = icons[kind]
        return (
          <li key={index}>
            <button type="button" data-stays onClick={() => onTap({ part, index })}>
              {Icon ? <Icon aria-hidden /> : null}
              <span dir="auto">{text || 'Suggestion'}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
