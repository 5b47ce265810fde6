import { useEffect } from 'react'

/** The form submitted last, until the user types. */
let sent: HTMLFormElement | undefined

if (typeof document !== 'undefined') {
  document.addEventListener(
    'submit',
    ({ target }) => {
      sent = target instanceof HTMLFormElement ? target : undefined
      // Client errors are marked already; server errors arrive later.
      setTimeout(() => leadToFirstWrong(sent))
    },
    true,
  )
  document.addEventListener('input', () => (sent = undefined), true)
}

/** Focuses the first invalid field of the submitted form, unless the user is typing elsewhere. */
export function leadInSentForm(field: HTMLElement | null) {
  if (sent && field && sent.contains(field)) leadToFirstWrong(sent)
}

/** Focuses the first invalid field and scrolls it into view. */
export function leadToFirstWrong(place: ParentNode | null | undefined) {
  const wrong = place?.querySelector<HTMLElement>('[aria-invalid="true"]')
  wrong?.focus()
  wrong?.scrollIntoView({ block: 'center' })
}

/** For screens without a form: a failed save focuses the first invalid field. */
export function useLeadToWrong(refusal: unknown) {
  useEffect(() => {
    if (refusal) leadToFirstWrong(document.querySelector('main'))
  }, [refusal])
}
