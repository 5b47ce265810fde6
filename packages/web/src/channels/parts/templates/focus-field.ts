/** Focuses the field of a finding, or the closest one around it. */
export function focusField(field: string) {
  const path = field.split('.')
  for (let length = path.length; length > 0; length -= 1) {
    const place = document.querySelector(`[data-field="${path.slice(0, length).join('.')}"]`)
    const target = place?.querySelector<HTMLElement>('input, textarea, select, button') ?? place
    if (!(target instanceof HTMLElement)) continue
    target.focus()
    target.scrollIntoView({ block: 'center' })
    return
  }
}
