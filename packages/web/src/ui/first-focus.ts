/** A form begins in its first field; without one the panel takes the focus, not the button that closes it. */
export function focusFirstField(event: Event) {
  if (!(event.currentTarget instanceof HTMLElement)) return
  event.preventDefault()
  const field = event.currentTarget.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')
  if (field && matchMedia('(pointer: fine)').matches) field.focus()
  else event.currentTarget.focus()
}
