import { useEffect, useRef } from 'react'
import { currentPreferences } from './preferences.ts'

/**
 * Keys by position (`event.code`), so that they work on every keyboard layout: 'Mod+KeyK', 'Shift+Slash', 'Escape';
 * sequences as 'KeyG KeyC'. Keys without Mod are ignored while typing, and if single-key shortcuts are disabled.
 */
export type Hotkeys = Record<string, (event: KeyboardEvent) => void>

const chordMs = 1200

export function useHotkeys(keys: Hotkeys, enabled = true) {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    if (!enabled) return undefined
    let first: { name: string; at: number } | undefined

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || isModifier(event.code)) return
      const name = nameOf(event)
      const typing = isTyping(event.target)
      if (!name.startsWith('Mod+') && (typing || isRefused(event.code) || isOfTarget(event))) return
      const chord = first && Date.now() - first.at < chordMs ? current.current[`${first.name} ${name}`] : undefined
      first = { name, at: Date.now() }
      const act = chord ?? current.current[name]
      if (!act) return
      event.preventDefault()
      act(event)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [enabled])
}

function nameOf(event: KeyboardEvent): string {
  const parts = [
    event.metaKey || event.ctrlKey ? 'Mod' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
    event.code,
  ]
  return parts.filter(Boolean).join('+')
}

const pressable =
  'a[href], button, summary, input, [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=switch], [role=option]'
const movable = 'input[type=radio], input[type=range], [role=radio], [role=slider], [role=option]'
const modal = '[role=dialog]:not([data-non-modal]), [role=alertdialog], [role=menu]'

/** Keys handled by the focused control itself; in a dialog or menu, all keys. */
function isOfTarget({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(modal)) return true
  if (code === 'Enter' || code === 'Space') return target.closest(pressable) !== null
  return code.startsWith('Arrow') && target.closest(movable) !== null
}

/** Single keys may be intended for assistive software. */
function isRefused(code: string): boolean {
  return !currentPreferences().singleKeyShortcuts && /^(?:Key|Digit|Slash|Bracket)/.test(code)
}

function isModifier(code: string): boolean {
  return /^(?:Shift|Control|Meta|Alt)/.test(code)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select'))
  )
}
