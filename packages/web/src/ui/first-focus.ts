import { useEffect, useRef } from 'react'

/** A form begins in its first field; without one the panel takes the focus, not the button that closes it. */
export function focusFirstField(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  if (!focusFieldIn(event.currentTarget)) event.currentTarget.focus()
}

/** For a form that takes the place of something else in a page or panel that is open already. */
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
