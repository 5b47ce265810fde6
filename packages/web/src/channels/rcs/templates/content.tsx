import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import { listRcsVariables } from '@carillon/contract/channels/rcs/rcs-variables'
import type { RcsFinding } from '@carillon/contract/channels/rcs/rcs-findings'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import { Problem, type Problems } from '../../parts/templates/problems.tsx'
import { CardFields } from './card-fields.tsx'
import { CardPanel, type CardActions } from './card-panel.tsx'
import { LayoutFields } from './layout-fields.tsx'
import { cardAt, withCard, type CardPlace } from './places.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { TextField } from './text-field.tsx'
import type { RcsEditing } from './use-form.ts'

type ContentProps = {
  editing: RcsEditing
  findings: readonly RcsFinding[]
  actions: CardActions
  problems: Problems
  onPart: (part: MessagePart | undefined) => void
}

/** The message itself: a text, a card or a carousel, and the suggestions below it. */
export function RcsContent(props: ContentProps) {
  const { editing, problems, onPart } = props
  const { input } = editing.form
  return (
    <>
      {input.type === 'text_message' ? <TextContent {...props} /> : null}
      {input.type === 'rich_card_standalone' ? <CardContent {...props} /> : null}
      {input.type === 'carousel' ? <CarouselContent {...props} /> : null}
      <SuggestionList
        suggestions={input.suggestions}
        owner="the message"
        most={rcsLimits.suggestions}
        at="suggestions"
        problems={problems}
        onChange={(suggestions, group) => editing.change({ suggestions }, group)}
        onFocus={() => onPart('suggestions')}
        onBlur={() => onPart(undefined)}
      />
    </>
  )
}

function TextContent({ editing, problems, onPart }: ContentProps) {
  const { input } = editing.form
  return (
    <TextField
      label="Text"
      value={input.textMessageContent}
      most={rcsLimits.text}
      at="textMessageContent"
      problem={problems('textMessageContent')}
      placeholder="Hi {{name}}, your order {{order}} ships today."
      variables={listRcsVariables(input)}
      onChange={(textMessageContent) => editing.change({ textMessageContent }, 'textMessageContent')}
      onFocus={() => onPart('body')}
      onBlur={() => onPart(undefined)}
    />
  )
}

function CardContent(props: ContentProps) {
  const { editing, problems } = props
  return (
    <section aria-labelledby="card-title" className="flex flex-col gap-4">
      <h2 id="card-title" className="text-section font-semibold">
        Card
      </h2>
      <LayoutFields input={editing.form.input} problems={problems} onChange={editing.change} />
      <Card {...props} place="alone" />
      <Problem text={problems('standAlone')} />
    </section>
  )
}

function CarouselContent(props: ContentProps) {
  const { editing, findings, actions, problems } = props
  const { form, current } = editing
  const { carouselList } = form.input
  return (
    <div className="grid gap-x-6 gap-y-6 xl:grid-cols-[232px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4 self-start xl:sticky xl:top-14">
        <CardPanel cards={carouselList} current={current} findings={findings} actions={actions} />
        <Problem text={problems('carouselList')} />
      </div>
      {carouselList.length > 0 ? (
        <section aria-labelledby="card-title" className="flex min-w-0 flex-col gap-4">
          <h2 id="card-title" className="flex min-h-8 items-center text-section font-semibold">
            Card {current + 1} of {carouselList.length}
          </h2>
          <LayoutFields input={form.input} problems={problems} onChange={editing.change} />
          <Card key={current} {...props} place={current} />
        </section>
      ) : null}
    </div>
  )
}

function Card({ editing, problems, onPart, place }: ContentProps & { place: CardPlace }) {
  const { form, change } = editing
  const { input } = form
  const card = cardAt(input, place)
  if (!card) return null
  return (
    <CardFields
      card={card}
      place={place}
      input={input}
      variables={listRcsVariables(input)}
      problems={problems}
      onPart={onPart}
      onChange={(patch, group) => {
        const { carouselList, standAlone } = withCard(input, place, patch)
        change({ carouselList, standAlone }, group)
      }}
    />
  )
}
