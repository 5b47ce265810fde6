import { useEffect } from 'react'

/** The form that was sent last, until somebody types on. */
let sent: HTMLFormElement | undefined

if (typeof document !== 'undefined') {
  document.addEventListener(
    'submit',
    ({ target }) => {
      sent = target instanceof HTMLFormElement ? target : undefined
      // What the form marked already does not change; what the server says comes later.
      setTimeout(() => leadToFirstWrong(sent))
    },
    true,
  )
  document.addEventListener('input', () => (sent = undefined), true)
}

/** Whoever sent a form is led to its first field that is wrong; who types elsewhere is left alone. */
export function leadInSentForm(field: HTMLElement | null) {
  if (sent && field && sent.contains(field)) leadToFirstWrong(sent)
}

/** Puts the cursor into the first field that is wrong, and the field into view. */
export function leadToFirstWrong(place: ParentNode | null | undefined) {
  const wrong = place?.querySelector<HTMLElement>('[aria-invalid="true"]')
  wrong?.focus()
  wrong?.scrollIntoView({ block: 'center' })
}

/** For screens without a form: a refused save leads to its first wrong field. */
export function useLeadToWrong(refusal: unknown) {
  useEffect(() => {
    if (refusal) leadToFirstWrong(document.querySelector('main'))
  }, [refusal])
}
