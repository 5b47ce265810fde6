import type { CampaignDraft } from '@carillon/contract/campaign-records'
import type { SavedDraft } from '@carillon/contract/campaigns'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { refresh } from '../../../lib/use-api.ts'
import type { SaveState } from '../../../ui/wizard-frame.tsx'
import { blankDraft, draftOf } from './draft-state.ts'

const autosaveMs = 2000

type UseDraft = { saved: SavedDraft | undefined; onCreated: (id: string) => void }

/**
 * The draft of the wizard. It exists on the server from the first change on and is saved two seconds after each; saves
 * wait for one another, so an older one never lands over a newer.
 */
export function useDraft({ saved, onCreated }: UseDraft) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<CampaignDraft>(() => (saved ? draftOf(saved) : blankDraft()))
  const [id, setId] = useState(saved?._id)
  const [save, setSave] = useState<SaveState>(saved ? { state: 'saved', at: saved.savedAt } : { state: 'none' })
  const [error, setError] = useState<CallError>()
  /** The draft as the server has it: what it counts, it counts from this one. */
  const [kept, setKept] = useState<CampaignDraft | undefined>(() => saved && draftOf(saved))

  const latest = useRef({ draft, id, version: saved?.version, isDirty: false })
  const queue = useRef<Promise<string | undefined>>(Promise.resolve(undefined))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  function change(patch: Partial<CampaignDraft>) {
    const next = { ...latest.current.draft, ...patch }
    latest.current = { ...latest.current, draft: next, isDirty: true }
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush().catch(() => undefined), autosaveMs)
  }

  /** Saves what is not saved yet; answers the draft's id, throws the server's refusal. */
  function flush(): Promise<string | undefined> {
    clearTimeout(timer.current)
    const run = queue.current.catch(() => undefined).then(() => write())
    queue.current = run
    return run
  }

  async function write(): Promise<string | undefined> {
    const { draft: body, id: known, isDirty } = latest.current
    if (!isDirty) return known
    latest.current.isDirty = false
    setSave({ state: 'saving' })
    try {
      const answer = known
        ? await call('drafts.save', { path: { id: known }, body })
        : await call('drafts.create', { body })
      latest.current.id = answer._id
      latest.current.version = answer.version
      queries.setQueryData(['drafts.get', { path: { id: answer._id } }], answer)
      setSave({ state: 'saved', at: answer.savedAt })
      setError(undefined)
      setId(answer._id)
      setKept(body)
      if (!known) onCreated(answer._id)
      void refresh(queries, ['drafts.estimate', 'drafts.preview', 'smsCampaigns.list'])
      return answer._id
    } catch (problem) {
      latest.current.isDirty = true
      setSave({ state: 'failed' })
      if (problem instanceof CallError) setError(problem)
      throw problem
    }
  }

  // Leaving the wizard inside the product saves what the two seconds have not.
  const leave = useRef(flush)
  useEffect(() => {
    leave.current = flush
  })
  useEffect(() => () => void leave.current().catch(() => undefined), [])

  /** What the server has of it: a start is of this one, or refused. */
  const version = () => latest.current.version

  return { draft, kept, id, save, error, change, flush, version }
}

export type DraftHandle = ReturnType<typeof useDraft>
