import { templateLimits } from '@carillon/contract/channels/whatsapp/whatsapp-template-rules'
import type { TemplateCard, WhatsappCategory } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { Plus, Trash2 } from 'lucide-react'
import { alignSamples, nextVariable, type ParameterFormat } from '../body-editing.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { WhatsappMedia } from './use-media.ts'
import { BodyField } from './body-field.tsx'
import { AddButton, ButtonList } from './buttons.tsx'
import { cardLike, emptyHeader } from './form.ts'
import { HeaderField } from './header-field.tsx'
import { Problem, type Problems } from '../../parts/templates/problems.tsx'

type CardsProps = {
  cards: readonly TemplateCard[]
  category: WhatsappCategory
  format: ParameterFormat
  media: WhatsappMedia
  problems: Problems
  onChange: (cards: readonly TemplateCard[]) => void
}

/** Carousel cards, which all have the structure of the first one. */
export function WhatsappCards({ cards, category, format, media, problems, onChange }: CardsProps) {
  const at = 'components.cards'
  const change = (index: number, patch: Partial<TemplateCard>) =>
    onChange(cards.map((card, place) => (place === index ? { ...card, ...patch } : card)))
  const changeKind = (kind: 'IMAGE' | 'VIDEO') =>
    onChange(cards.map((card) => ({ ...card, header: emptyHeader(kind) })))
  return (
    <div data-field={at} className="flex flex-col gap-4">
      {cards.length > 0 ? (
        <span className="self-start">
          <Segmented
            label="Cards show"
            size="tool"
            value={cards[0]?.header.format === 'VIDEO' ? 'VIDEO' : 'IMAGE'}
            onValueChange={changeKind}
            options={[
              { value: 'IMAGE', label: 'Images' },
              { value: 'VIDEO', label: 'Videos' },
            ]}
          />
        </span>
      ) : null}
      {cards.map((card, index) => (
        <CardFields
          key={index}
          card={card}
          index={index}
          {...{ category, format, media, problems }}
          onChange={(patch) => change(index, patch)}
          onRemove={() => onChange(cards.filter((_, place) => place !== index))}
        />
      ))}
      <Problem text={problems(at)} />
      <Button
        size="sm"
        className="self-start"
        disabled={cards.length >= templateLimits.cards}
        onClick={() => onChange([...cards, cardLike(cards[0]), ...(cards.length === 0 ? [cardLike(undefined)] : [])])}
      >
        <Plus aria-hidden /> {cards.length === 0 ? 'Add carousel cards' : 'Add card'}
      </Button>
    </div>
  )
}

type CardFieldsProps = Omit<CardsProps, 'cards' | 'onChange'> & {
  card: TemplateCard
  index: number
  onChange: (patch: Partial<TemplateCard>) => void
  onRemove: () => void
}

function CardFields({ card, index, category, format, media, problems, onChange, onRemove }: CardFieldsProps) {
  const at = `components.cards.${index}`
  return (
    <section aria-label={`Card ${index + 1}`} className="flex flex-col gap-3 border-l-2 border-border pl-4">
      <header className="flex items-center">
        <h3 className="font-medium">Card {index + 1}</h3>
        <span className="ml-auto flex items-center">
          <AddButton
            buttons={card.buttons}
            category={category}
            most={2}
            onChange={(buttons) => onChange({ buttons: [...buttons] })}
          />
          <IconButton label={`Remove card ${index + 1}`} size="tool" onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        </span>
      </header>
      <HeaderField
        header={card.header}
        at={`${at}.header`}
        variable={nextVariable('', format)}
        media={media}
        problems={problems}
        onChange={(header) => onChange({ header })}
      />
      <BodyField
        label={`Text of card ${index + 1}`}
        at={`${at}.body`}
        body={card.body}
        format={format}
        error={problems(`${at}.body`)}
        onChange={(body) => onChange({ body, samples: alignSamples(body, card.samples) })}
      />
      <ButtonList
        buttons={card.buttons}
        at={`${at}.buttons`}
        problems={problems}
        onChange={(buttons) => onChange({ buttons: [...buttons] })}
      />
      <Problem text={problems(`${at}.buttons`)} />
    </section>
  )
}
