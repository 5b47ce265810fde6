import { rcsLimits } from '@carillon/contract/channels/rcs/rcs-limits'
import type { RcsFinding } from '@carillon/contract/channels/rcs/rcs-findings'
import type { RcsCarouselCard } from '@carillon/contract/channels/rcs/rcs-templates'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, Check, Copy, Ellipsis, GripVertical, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'

export type CardActions = {
  show: (index: number) => void
  add: () => void
  duplicate: (index: number) => void
  remove: (index: number) => void
  move: (from: number, to: number) => void
}

type CardPanelProps = {
  cards: readonly RcsCarouselCard[]
  current: number
  findings: readonly RcsFinding[]
  actions: CardActions
}

/** The cards of a carousel in order: chosen, dragged, or moved with buttons and Alt with the arrow keys. */
export function CardPanel({ cards, current, findings, actions }: CardPanelProps) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const isFull = cards.length >= rcsLimits.cards

  function drop(event: DragEvent, to: number) {
    event.preventDefault()
    if (dragged !== undefined && dragged !== to) actions.move(dragged, to)
    setDragged(undefined)
    setOver(undefined)
  }
  return (
    <section aria-labelledby="cards-title" data-field="carouselList" className="min-w-0">
      <div className="flex min-h-8 items-center gap-2">
        <h2 id="cards-title" className="text-section font-semibold">
          Cards
        </h2>
        <span className="text-dense text-muted-foreground tabular-nums">
          {cards.length} of {rcsLimits.cards}
        </span>
      </div>
      <ol className="mt-1 flex flex-col gap-0.5">
        {cards.map((card, index) => (
          <li
            key={index}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/plain', String(index))
              setDragged(index)
            }}
            onDragEnd={() => {
              setDragged(undefined)
              setOver(undefined)
            }}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(index)
            }}
            onDrop={(event) => drop(event, index)}
            className={clsx(
              'rounded-md',
              dragged === index && 'opacity-50',
              over === index && dragged !== undefined && dragged !== index && 'outline-2 outline-brand',
            )}
          >
            <CardRow
              card={card}
              index={index}
              count={cards.length}
              isCurrent={index === current}
              isFull={isFull}
              errors={errorsOf(findings, index)}
              actions={actions}
            />
          </li>
        ))}
      </ol>
      <Button
        variant="ghost"
        size="tool"
        className="mt-1 text-muted-foreground"
        aria-disabled={isFull}
        title={isFull ? `A carousel has at most ${rcsLimits.cards} cards` : undefined}
        onClick={isFull ? undefined : actions.add}
      >
        <Plus aria-hidden /> Add card
      </Button>
    </section>
  )
}

function errorsOf(findings: readonly RcsFinding[], index: number): number {
  return findings.filter(({ field, level }) => level === 'error' && field.startsWith(`carouselList.${index}.`)).length
}

type CardRowProps = {
  card: RcsCarouselCard
  index: number
  count: number
  isCurrent: boolean
  isFull: boolean
  errors: number
  actions: CardActions
}

function CardRow(props: CardRowProps) {
  const { index, isCurrent, actions } = props

  function onKeyDown(event: KeyboardEvent) {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (by === undefined) return
    event.preventDefault()
    actions.move(index, index + by)
  }
  return (
    <div
      className={clsx('flex items-center rounded-md', isCurrent ? 'bg-brand-muted' : 'hover:bg-accent')}
      onKeyDown={onKeyDown}
    >
      <GripVertical aria-hidden className="ml-1 size-4 shrink-0 cursor-grab text-muted-foreground" />
      <CardButton {...props} />
      {isCurrent ? <MoveButtons {...props} /> : null}
      <CardMenu {...props} />
    </div>
  )
}

/** Opens the card. */
function CardButton({ card, index, isCurrent, errors, actions }: CardRowProps) {
  return (
    <button
      type="button"
      data-card={index}
      aria-current={isCurrent}
      onClick={() => actions.show(index)}
      className={clsx(
        'flex h-9 min-w-0 flex-1 items-center gap-2 px-1.5 text-left text-dense',
        isCurrent && 'font-medium text-brand-text',
      )}
    >
      <span className="w-4 text-right text-muted-foreground tabular-nums">{index + 1}</span>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {card.cardTitle || card.cardDescription || 'Untitled'}
      </span>
      {errors > 0 ? (
        <span className="flex items-center gap-0.5 text-caption text-warning-text">
          <TriangleAlert aria-hidden className="size-3.5" /> {errors} <span className="sr-only">to fix</span>
        </span>
      ) : isCurrent ? null : (
        <Check aria-label="nothing to fix" className="size-3.5 text-success-text" />
      )}
    </button>
  )
}

function MoveButtons({ index, count, actions }: CardRowProps) {
  return (
    <>
      <IconButton
        label={`Move card ${index + 1} up`}
        size="tool"
        keys={['Alt', '↑']}
        aria-disabled={index === 0}
        onClick={() => actions.move(index, index - 1)}
      >
        <ArrowUp aria-hidden />
      </IconButton>
      <IconButton
        label={`Move card ${index + 1} down`}
        size="tool"
        keys={['Alt', '↓']}
        aria-disabled={index === count - 1}
        onClick={() => actions.move(index, index + 1)}
      >
        <ArrowDown aria-hidden />
      </IconButton>
    </>
  )
}

function CardMenu({ index, count, isFull, actions }: CardRowProps) {
  return (
    <Menu
      label={`Card ${index + 1}`}
      items={[
        {
          label: 'Duplicate',
          icon: Copy,
          keys: ['Mod', 'D'],
          disabled: isFull ? `At most ${rcsLimits.cards} cards` : undefined,
          onSelect: () => actions.duplicate(index),
        },
        {
          label: 'Move up',
          icon: ArrowUp,
          disabled: index === 0 ? 'Already the first' : undefined,
          onSelect: () => actions.move(index, index - 1),
        },
        {
          label: 'Move down',
          icon: ArrowDown,
          disabled: index === count - 1 ? 'Already the last' : undefined,
          onSelect: () => actions.move(index, index + 1),
        },
        'separator',
        { label: 'Remove', icon: Trash2, destructive: true, onSelect: () => actions.remove(index) },
      ]}
      trigger={
        <IconButton label={`Actions of card ${index + 1}`} size="tool" className="mr-1">
          <Ellipsis aria-hidden />
        </IconButton>
      }
    />
  )
}
