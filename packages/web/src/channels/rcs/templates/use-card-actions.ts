import { useState } from 'react'
import { toast } from '../../../ui/toast.tsx'
import type { CardActions } from './card-panel.tsx'
import { addCard, duplicateCard, insertCard, moveCard, moveText, removeCard, type CardChange } from './card-list.ts'
import type { RcsEditing } from './use-form.ts'

/** Changes of the list of cards, with their screen reader announcements. */
export function useCardActions({ form: { input }, change, update, showCard }: RcsEditing): {
  actions: CardActions
  announcement: string
} {
  const [announcement, setAnnouncement] = useState('')
  const { carouselList: cards } = input

  function apply(next: CardChange | undefined, text: string) {
    if (!next) return
    change({ carouselList: next.cards })
    showCard(next.index)
    setAnnouncement(text)
    // The row of the card exists after the next rendering.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-card="${next.index}"]`)?.focus())
  }
  return {
    announcement,
    actions: {
      show: showCard,
      add: () => apply(addCard(cards), `Card ${cards.length + 1} added`),
      duplicate: (index) => apply(duplicateCard(cards, index), `Card ${index + 1} duplicated`),
      remove(index) {
        const card = cards[index]
        if (!card) return
        apply(removeCard(cards, index), `Card ${index + 1} removed`)
        toast.plain(`Card ${index + 1} removed`, {
          action: {
            label: 'Undo',
            onClick() {
              update((now) => ({ ...now, carouselList: insertCard(now.carouselList, index, card) }))
              showCard(index)
            },
          },
        })
      },
      move(from, to) {
        const next = moveCard(cards, from, to)
        if (next.index !== from) apply(next, moveText(from, next))
      },
    },
  }
}
