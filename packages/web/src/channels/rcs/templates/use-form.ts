import type { RcsTemplate, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { useState } from 'react'
import { textOfInput, type RcsForm } from './form.ts'
import { beginHistory, record, redo, undo } from './history.ts'

/** State of a template in the editor, with undo; and the card that is edited. */
export function useRcsForm(initial: RcsForm) {
  const [history, setHistory] = useState(() => beginHistory(initial.input))
  const [{ id, status, saved }, setState] = useState<Omit<RcsForm, 'input'>>(initial)
  const [chosen, setCurrent] = useState(0)
  const input = history.present
  const form: RcsForm = { id, status, saved, input }

  return {
    form,
    current: Math.max(0, Math.min(chosen, input.carouselList.length - 1)),
    showCard: setCurrent,
    /** Changes with the same group directly after each other are one step of undo. */
    change: (patch: Partial<RcsTemplateInput>, group?: string) =>
      setHistory((before) => record(before, { ...before.present, ...patch }, group)),
    /** Changes the latest state, for actions that come later, such as undo of a removal. */
    update: (changed: (input: RcsTemplateInput) => RcsTemplateInput) =>
      setHistory((before) => record(before, changed(before.present))),
    setInput: (next: RcsTemplateInput) => setHistory((before) => record(before, next)),
    replace(next: RcsForm) {
      setHistory(beginHistory(next.input))
      setState(next)
    },
    undo: history.past.length > 0 ? () => setHistory(undo) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redo) : undefined,
    /** Applies the saved state, without changes made meanwhile. */
    markSaved: (template: RcsTemplate, sent: RcsTemplateInput) =>
      setState({ id: template._id, status: template.status, saved: textOfInput(sent) }),
  }
}

export type RcsEditing = ReturnType<typeof useRcsForm>
