import { useState } from 'react'

/**
 * The draft that a wizard has open. When the wizard creates a draft, its id is written to the URL without remounting the
 * wizard; another id in the URL opens another draft.
 */
export function useWizardSession(id: string | undefined, onCreated: (id: string) => void) {
  const [session, setSession] = useState({ number: 0, opened: id, created: undefined as string | undefined })
  if (session.created !== undefined && id === session.created && session.opened !== id)
    setSession({ ...session, opened: id })
  else if (id !== session.opened && id !== session.created) {
    setSession({ number: session.number + 1, opened: id, created: undefined })
  }
  const isOwn = session.created !== undefined && session.created === session.opened
  return {
    /** A key for the wizard. */
    number: session.number,
    /** The draft to load first; undefined for a new one, and for one created by the wizard itself. */
    opened: isOwn ? undefined : session.opened,
    created(made: string) {
      setSession((current) => ({ ...current, created: made }))
      onCreated(made)
    },
  }
}
