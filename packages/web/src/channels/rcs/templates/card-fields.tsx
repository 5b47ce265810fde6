import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsCard, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import type { Problems } from '../../parts/templates/problems.tsx'
import { MediaField } from './media-field.tsx'
import { cardPath, partOfField, type CardPlace } from './places.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { TextField } from './text-field.tsx'

type CardFieldsProps = {
  card: RcsCard
  place: CardPlace
  input: RcsTemplateInput
  variables: readonly string[]
  problems: Problems
  onChange: (patch: Partial<RcsCard>, group?: string) => void
  /** The part to outline on the phone. */
  onPart: (part: MessagePart | undefined) => void
}

/** Media, title, description and suggestions of a card. */
export function CardFields({ card, place, input, variables, problems, onChange, onPart }: CardFieldsProps) {
  const at = cardPath(place)
  const focus = (field: string) => ({
    onFocus: () => onPart(partOfField(field)),
    onBlur: () => onPart(undefined),
  })
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <MediaField
        key={at}
        card={card}
        input={input}
        at={at}
        problems={problems}
        onChange={onChange}
        {...focus(`${at}.mediaUrl`)}
      />
      <TextField
        isShort
        label="Title"
        hint="(optional)"
        value={card.cardTitle}
        most={rcsLimits.title}
        at={`${at}.cardTitle`}
        problem={problems(`${at}.cardTitle`)}
        placeholder="Brass diyas, set of six"
        variables={variables}
        onChange={(cardTitle) => onChange({ cardTitle }, `${at}.cardTitle`)}
        {...focus(`${at}.cardTitle`)}
      />
      <TextField
        label="Description"
        hint="(optional)"
        value={card.cardDescription}
        most={rcsLimits.description}
        at={`${at}.cardDescription`}
        problem={problems(`${at}.cardDescription`)}
        placeholder="From ₹499. Ready to ship today."
        variables={variables}
        onChange={(cardDescription) => onChange({ cardDescription }, `${at}.cardDescription`)}
        {...focus(`${at}.cardDescription`)}
      />
      <SuggestionList
        suggestions={card.suggestions}
        owner={place === 'alone' ? 'the card' : `card ${place + 1}`}
        most={rcsLimits.suggestionsPerCard}
        at={`${at}.suggestions`}
        problems={problems}
        onChange={(suggestions, group) => onChange({ suggestions }, group)}
        {...focus(`${at}.suggestions`)}
      />
    </div>
  )
}
