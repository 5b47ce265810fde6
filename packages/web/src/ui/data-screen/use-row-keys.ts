import { useRef } from 'react'
import { useHotkeys } from '../../lib/hotkeys.ts'

type RowKeys = {
  ids: readonly string[]
  openId: string | undefined
  onPeek: ((id: string | undefined) => void) | undefined
  onEnter: ((id: string) => void) | undefined
  onToggle: ((id: string) => void) | undefined
}

/** J, K or arrows move, Space peeks, Enter opens, X selects. An open peek follows. */
export function useRowKeys({ ids, openId, onPeek, onEnter, onToggle }: RowKeys) {
  const walked = useRef<string>(undefined)

  function focused(): string | undefined {
    const row = document.activeElement?.closest('[data-row]')
    return row?.getAttribute('data-row') ?? openId ?? walked.current
  }

  function walk(step: 1 | -1) {
    const here = focused()
    const place = here === undefined ? -1 : ids.indexOf(here)
    const next = ids[place === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, place + step))]
    if (next === undefined) return
    walked.current = next
    if (openId === undefined) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"]`)?.focus()
    else onPeek?.(next)
  }

  function withRow(act: ((id: string) => void) | undefined) {
    return () => {
      const id = focused()
      if (id !== undefined) act?.(id)
    }
  }

  useHotkeys({
    KeyJ: () => walk(1),
    KeyK: () => walk(-1),
    ...(ids.length > 0 ? { ArrowDown: () => walk(1), ArrowUp: () => walk(-1) } : {}),
    Space: withRow((id) => onPeek?.(openId === id ? undefined : id)),
    Enter: withRow(onEnter),
    KeyX: withRow(onToggle),
  })
}
