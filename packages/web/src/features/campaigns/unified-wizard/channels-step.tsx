import type { Channel } from '@carillon/contract/channels'
import { channelTraits } from '@carillon/contract/channels/table'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { channels } from '../../../channels/index.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { WizardLeg } from '../wizard/use-legs.ts'
import type { WizardState } from '../wizard/use-wizard.ts'
import { addLeg, moveLeg, moveProblem, removeLeg } from './leg-order.ts'
import { useDragOrder } from './use-drag-order.ts'

/** The order of the channels, and the sender of each. */
export function ChannelsStep({ wizard }: { wizard: WizardState }) {
  const { handle, legs, channels: own } = wizard
  const edited = [own.first, ...own.others]
  const [said, setSaid] = useState<{ text: string; isProblem: boolean }>()
  const grips = useRef(new Map<Channel, HTMLElement>())
  const moved = useRef<Channel>(undefined)

  function move(from: number, to: number) {
    const channel = legs[from]?.channel
    if (!channel || to < 0 || to >= legs.length || to === from) return
    const problem = moveProblem(handle.draft.legs, from, to)
    if (problem) {
      setSaid({ text: problem, isProblem: true })
      return
    }
    moved.current = channel
    setSaid({ text: `${channelLabel(channel)} is now message ${to + 1} of ${legs.length}`, isProblem: false })
    handle.changeNow((draft) => ({ legs: moveLeg(draft.legs, { from, to, edited }) }))
  }
  const { drag, itemRef, handleProps } = useDragOrder(move)

  // A moved element loses the focus.
  useEffect(() => {
    if (!moved.current) return
    grips.current.get(moved.current)?.focus()
    moved.current = undefined
  }, [handle.draft.legs])

  const unused = edited.filter(({ channel }) => legs.every((leg) => leg.channel !== channel))
  return (
    <section aria-labelledby="order-title" className="flex flex-col gap-4">
      <div>
        <h2 id="order-title" className="text-section font-semibold">
          Channel order
        </h2>
        <p className="text-dense text-muted-foreground">
          Everyone gets the first message. The next one is sent only to people it does not reach.
        </p>
      </div>
      <ol aria-label="Messages in order" className="flex flex-col border-y border-border">
        {legs.map((leg, index) => (
          <li
            key={leg.channel}
            ref={itemRef(index)}
            style={drag?.from === index ? { transform: `translateY(${drag.offset}px)` } : undefined}
            className={clsx(
              'relative border-b border-line bg-background py-3 last:border-0',
              drag?.from === index && 'z-5 rounded-md border border-border shadow-2',
              drag && drag.from !== index && dropLine(drag, index),
            )}
          >
            <LegRow
              wizard={wizard}
              leg={leg}
              index={index}
              gripRef={(element) => {
                if (element) grips.current.set(leg.channel, element)
              }}
              gripProps={handleProps(index)}
              onMove={(to) => move(index, to)}
              onRemove={() => {
                setSaid({ text: `${channelLabel(leg.channel)} was removed`, isProblem: false })
                handle.changeNow((draft) => ({ legs: removeLeg(draft.legs, leg.channel, edited) }))
              }}
            />
          </li>
        ))}
      </ol>
      <p role="status" className={said?.isProblem ? 'text-dense text-warning-text' : 'sr-only'}>
        {said?.text}
      </p>
      <AddChannel
        unused={unused.map(({ channel }) => channel)}
        onAdd={(channel) => handle.changeNow((draft) => ({ legs: addLeg(draft.legs, channel, edited) }))}
      />
      {legs.length === 1 ? (
        <Notice tone="info">Add a second channel to reach people the first message does not reach.</Notice>
      ) : null}
    </section>
  )
}

/** A line on the side of the item next to which the dragged one would be. */
function dropLine({ from, to }: { from: number; to: number }, index: number): string | undefined {
  const isAbove = to < from && index === to
  const isBelow = to > from && index === to
  return clsx(isAbove && 'shadow-[inset_0_2px_0_var(--ring)]', isBelow && 'shadow-[inset_0_-2px_0_var(--ring)]')
}

type LegRowProps = {
  wizard: WizardState
  leg: WizardLeg
  index: number
  gripRef: (element: HTMLElement | null) => void
  gripProps: ReturnType<ReturnType<typeof useDragOrder>['handleProps']>
  onMove: (to: number) => void
  onRemove: () => void
}

/** A channel with its handle, its menu and its sender. */
function LegRow({ wizard, leg, index, gripRef, gripProps, onMove, onRemove }: LegRowProps) {
  const { legs, handle, counted } = wizard
  const label = channelLabel(leg.channel)
  const before = legs[index - 1]
  const problem = handle.error?.details.find(({ field }) => field.startsWith(`legs.${index}.`))?.message
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    onMove(index + step)
  }
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2">
      <button
        ref={gripRef}
        type="button"
        aria-label={`Move ${label}, message ${index + 1} of ${legs.length}. Use the arrow keys`}
        className="grid size-9 cursor-grab touch-none place-items-center rounded-md text-muted-foreground hover:bg-accent active:cursor-grabbing max-md:size-11"
        onKeyDown={onKeyDown}
        {...gripProps}
      >
        <GripVertical aria-hidden className="size-4" />
      </button>
      <div className="flex min-h-9 items-center gap-3">
        <span aria-hidden className="w-4 text-right text-dense text-muted-foreground tabular-nums">
          {index + 1}
        </span>
        <b className="font-semibold">
          <ChannelMark channel={leg.channel} large />
        </b>
        <span className="truncate text-dense text-muted-foreground">
          {before ? `if ${channelLabel(before.channel)} does not reach the person` : 'to everyone first'}
        </span>
      </div>
      <Menu
        label={`Actions for ${label}`}
        trigger={
          <IconButton label={`Actions for ${label}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        }
        items={menuOf(wizard, { index, onMove, onRemove })}
      />
      <div className="col-start-2 mt-2 pl-7 max-md:col-span-full max-md:col-start-1 max-md:pl-2">
        {leg.leg.templateStep(index === 0 ? counted : undefined, 'sender')}
        {problem ? (
          <p role="alert" className="mt-2 text-dense text-danger-text">
            {problem}
          </p>
        ) : null}
      </div>
    </div>
  )
}

type Acts = Pick<LegRowProps, 'index' | 'onMove' | 'onRemove'>

function menuOf({ legs, handle }: WizardState, { index, onMove, onRemove }: Acts): MenuItem[] {
  const blocked = (to: number) => moveProblem(handle.draft.legs, index, to)
  return [
    {
      label: 'Move up',
      icon: ArrowUp,
      onSelect: () => onMove(index - 1),
      disabled: index === 0 ? 'It is the first message' : blocked(index - 1),
    },
    {
      label: 'Move down',
      icon: ArrowDown,
      onSelect: () => onMove(index + 1),
      disabled: index === legs.length - 1 ? 'It is the last message' : blocked(index + 1),
    },
    'separator',
    {
      label: 'Remove',
      icon: Trash2,
      destructive: true,
      onSelect: onRemove,
      disabled: legs.length === 1 ? 'A campaign has at least one message' : undefined,
    },
  ]
}

function AddChannel({ unused, onAdd }: { unused: readonly Channel[]; onAdd: (channel: Channel) => void }) {
  if (unused.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {unused.map((channel) => {
        const Icon = channels[channel].mark.menuIcon ?? Plus
        return (
          <Button key={channel} size="sm" onClick={() => onAdd(channel)}>
            <Icon aria-hidden /> Add {channelTraits[channel].label}
          </Button>
        )
      })}
    </div>
  )
}
