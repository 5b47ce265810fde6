import { useEffect, useRef, useState } from 'react'
import {
  deleteFormDraft,
  saveFormDraft,
  readFormDraft,
  type DraftStorage,
  type FormDraft,
} from '../../../lib/form-drafts.ts'
import type { SaveState } from '../../../ui/wizard-frame.tsx'

const restMs = 1000

export type Opened<Form> = {
  /** Initial form: the stored draft, unless the template has changed since. */
  first: Form
  kept: FormDraft<Form> | undefined
  isOutdated: boolean
}

type Opening<Form> = {
  /** Distinguishes a user's drafts. */
  name: string
  initial: Form
  base: string
  /** The form was prefilled, such as from a pasted approval: an older draft is replaced. */
  isFresh?: boolean
}

/** The form in its initial state. */
export function useOpenedForm<Form extends object>({ name, initial, base, isFresh }: Opening<Form>): Opened<Form> {
  const [opened] = useState(() => {
    const kept = isFresh ? undefined : readFormDraft(name, initial)
    const isOutdated = kept !== undefined && kept.base !== base
    return { kept, isOutdated, first: kept && !isOutdated ? kept.form : initial }
  })
  return opened
}

type Keeping<Form> = {
  name: string
  opened: Opened<Form>
  form: Form
  initial: Form
  base: string
  /** Where the form is stored; undefined if it is saved on the server or empty. */
  place: DraftStorage | undefined
  onReplace: (form: Form) => void
}

export type OpenFormDraft = {
  save: SaveState
  /** Last change of the draft shown or offered; undefined once irrelevant. */
  from: number | undefined
  /** The template was changed since: the user chooses a version. */
  isOutdated: boolean
  take: () => void
  discard: () => void
  /** Deletes the stored draft after it was saved on the server. */
  finish: () => void
}

/** Stores the form a second after each change, and when the tab is closed, until it is saved or discarded. */
export function useFormDraft<Form extends object>(keeping: Keeping<Form>): OpenFormDraft {
  const { name, opened, form, initial, place, onReplace } = keeping
  const { kept } = opened
  const [isOutdated, setOutdated] = useState(opened.isOutdated)
  const [from, setFrom] = useState(kept?.savedAt)
  const [save, setSave] = useState<SaveState>(
    kept && !opened.isOutdated ? { state: 'saved', at: kept.savedAt } : { state: 'none' },
  )
  const text = JSON.stringify(form)
  const written = useRef(kept && !opened.isOutdated ? text : undefined)
  const isOver = useRef(false)

  function write() {
    if (isOver.current || isOutdated || written.current === `${place} ${text}`) return
    if (!place) {
      if (written.current !== undefined) deleteFormDraft(name)
      written.current = undefined
      return setSave({ state: 'none' })
    }
    const savedAt = Date.now()
    const isSaved = saveFormDraft(name, { form, savedAt, base: keeping.base }, place)
    written.current = `${place} ${text}`
    setSave(isSaved ? { state: 'saved', at: savedAt } : { state: 'failed' })
  }

  const latest = useRef({ write, place })
  useEffect(() => {
    latest.current = { write, place }
  })
  useEffect(() => {
    const timer = setTimeout(() => latest.current.write(), restMs)
    return () => clearTimeout(timer)
  }, [text, place])
  useEffect(() => {
    const leave = () => latest.current.write()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
      // A form stored for reloads is deleted with its screen.
      if (latest.current.place === 'tab') deleteFormDraft(name)
    }
  }, [name])

  function finish() {
    isOver.current = true
    deleteFormDraft(name)
  }
  return {
    save,
    from,
    isOutdated,
    finish,
    take() {
      if (kept) onReplace(kept.form)
      setOutdated(false)
      setFrom(undefined)
    },
    discard() {
      deleteFormDraft(name)
      written.current = undefined
      onReplace(initial)
      setOutdated(false)
      setFrom(undefined)
      setSave({ state: 'none' })
    },
  }
}
