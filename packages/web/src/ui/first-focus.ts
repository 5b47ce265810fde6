import { useEffect, useRef } from 'react'

/** Focuses the first field of a form; without fields the panel, not its close button. */
export function focusFirstField(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  if (!focusFieldIn(event.currentTarget)) event.currentTarget.focus()
}

/** For a form that replaces other content in an open page or panel. */
export function useFirstFieldFocus() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (form.current) focusFieldIn(form.current)
  }, [])
  return form
}

/** Not on touch screens, where the keyboard would cover the form. */
function focusFieldIn(place: HTMLElement): boolean {
  const field = place.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')
  if (!field || !matchMedia('(pointer: fine)').matches) return false
  field.focus()
  return true
}
