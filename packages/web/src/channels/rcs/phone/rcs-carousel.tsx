import clsx from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { MessagePart } from '../../../ui/phone/pieces.ts'
import { RcsCard, type RcsCardTouch } from './rcs-card.tsx'
import type { RcsMessage } from './rcs-message.ts'

type CarouselProps = RcsCardTouch & { cards: NonNullable<RcsMessage['cards']>; layout: RcsMessage['layout'] }

/** Cards of one width and height, swiped or moved with buttons and arrow keys. */
export function RcsCarousel({ cards, layout, ...touch }: CarouselProps) {
  const { track, current, show, onScroll } = useTrack(cards.length, cardOfPart(touch.focusedPart))
  const isSmall = layout?.width === 'SMALL'

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    // Elsewhere on the phone, the arrow keys change the recipient.
    event.stopPropagation()
    show(current + by)
  }

  return (
    <section
      role="group"
      aria-roledescription="carousel"
      aria-label={`${cards.length} cards`}
      className="phone-rcs-carousel"
      onKeyDown={onKeyDown}
    >
      <div ref={track} className="phone-rcs-track" onScroll={onScroll}>
        {cards.map((card, index) => (
          <div
            key={index}
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${cards.length}`}
            className={clsx('phone-rcs-card', isSmall ? 'is-small' : 'is-wide')}
          >
            <RcsCard card={card} index={index} layout={layout} {...touch} />
          </div>
        ))}
      </div>
      {cards.length > 1 ? (
        <div className="phone-rcs-turn">
          <button
            type="button"
            data-stays
            aria-label="Previous card"
            aria-disabled={current === 0}
            onClick={() => show(current - 1)}
          >
            <ChevronLeft aria-hidden />
          </button>
          <span role="status">
            {current + 1} / {cards.length}
          </span>
          <button
            type="button"
            data-stays
            aria-label="Next card"
            aria-disabled={current === cards.length - 1}
            onClick={() => show(current + 1)}
          >
            <ChevronRight aria-hidden />
          </button>
        </div>
      ) : null}
    </section>
  )
}

/** The card that a part belongs to. */
function cardOfPart(part: MessagePart | undefined): number | undefined {
  const index = /^card\.(\d+)\./.exec(part ?? '')?.[1]
  return index === undefined ? undefined : Number(index)
}

/** The scrolled list of cards and the card shown; a card whose field gets the focus is scrolled to. */
function useTrack(count: number, focused: number | undefined) {
  const track = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(0)
  const [followed, setFollowed] = useState<number>()
  if (followed !== focused) {
    setFollowed(focused)
    if (focused !== undefined) setShown(focused)
  }
  const current = Math.min(shown, Math.max(0, count - 1))

  function show(index: number) {
    const next = Math.min(Math.max(0, index), count - 1)
    setShown(next)
    scrollToCard(track.current, next)
  }

  useEffect(() => {
    if (focused !== undefined) scrollToCard(track.current, focused)
  }, [focused])

  function onScroll() {
    const list = track.current
    const first = list ? firstVisible(list) : undefined
    // At the end several cards are visible: the one that was asked for stays the current one.
    if (list && first !== undefined && !(isAtEnd(list) && current > first)) setShown(first)
  }
  return { track, current, show, onScroll }
}

function isAtEnd(list: HTMLElement): boolean {
  return list.scrollLeft + list.clientWidth >= list.scrollWidth - 2
}

function firstVisible(list: HTMLElement): number {
  const lefts = Array.from(list.children, (card) => (card instanceof HTMLElement ? card.offsetLeft : 0))
  return Math.max(
    0,
    lefts.findLastIndex((left) => left - list.offsetLeft <= list.scrollLeft + 24),
  )
}

function scrollToCard(list: HTMLElement | null, index: number) {
  const card = list?.children[index]
  if (list && card instanceof HTMLElement) list.scrollTo({ left: card.offsetLeft - list.offsetLeft })
}
