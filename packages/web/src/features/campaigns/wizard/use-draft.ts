import type { SavedDraft } from '@carillon/contract/campaign-drafts'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { onReconnected } from '../../../lib/connection.ts'
import { Presses } from '../../../lib/presses.ts'
import { refresh } from '../../../lib/use-api.ts'
import type { SaveState } from '../../../ui/wizard-frame.tsx'

const autosaveMs = 2000

type Patch = Partial<CampaignDraft>

/** Reads that are invalidated when a draft has changed. */
const madeOfDrafts = [
  'drafts.estimate',
  'drafts.recipients',
  'drafts.preview',
  'drafts.reach',
  'campaigns.list',
] as const

type UseDraft = {
  blank: () => CampaignDraft
  saved: SavedDraft | undefined
  onCreated: (id: string) => void
}

/**
 * The draft of a wizard. It is created on the server by the first change and saved two seconds after each change; saves run one
 * after the other, so an older one never overwrites a newer one.
 */
export function useDraft({ blank, saved, onCreated }: UseDraft) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<CampaignDraft>(() => (saved ? contentOf(saved) : blank()))
  const [id, setId] = useState(saved?._id)
  const [save, setSave] = useState<SaveState>(saved ? { state: 'saved', at: saved.savedAt } : { state: 'none' })
  const [error, setError] = useState<CallError>()
  /** The saved draft, which the server's estimate refers to. */
  const [kept, setKept] = useState<CampaignDraft | undefined>(() => saved && contentOf(saved))

  const latest = useRef({ draft, id, version: saved?.version, isDirty: false })
  const [creations] = useState(() => new Presses())
  const queue = useRef<Promise<string | undefined>>(Promise.resolve(undefined))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  /** A function gets the latest draft, so that concurrent changes add up. */
  function change(patch: Patch | ((draft: CampaignDraft) => Patch)) {
    const { draft: before } = latest.current
    const next = { ...before, ...(typeof patch === 'function' ? patch(before) : patch) }
    latest.current = { ...latest.current, draft: next, isDirty: true }
    setDraft(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush().catch(() => undefined), autosaveMs)
  }

  /** For choices that affect the estimate. An error is in `error`. */
  function changeNow(patch: Parameters<typeof change>[0]) {
    change(patch)
    void flush().catch(() => undefined)
  }

  /** Saves pending changes; returns the draft's id, throws the server's error. */
  function flush(): Promise<string | undefined> {
    clearTimeout(timer.current)
    const run = queue.current.catch(() => undefined).then(() => write())
    queue.current = run
    return run
  }

  async function write(): Promise<string | undefined> {
    const { draft: body, id: known, version: changed, isDirty } = latest.current
    if (!isDirty) return known
    latest.current.isDirty = false
    setSave({ state: 'saving' })
    try {
      const answer = known
        ? await call('drafts.save', { path: { id: known }, query: { version: changed }, body })
        : await creations.finish(body, (key) => call('drafts.create', { body }, { key }))
      latest.current.id = answer._id
      latest.current.version = answer.version
      queries.setQueryData(['drafts.get', { path: { id: answer._id } }], answer)
      setSave({ state: 'saved', at: answer.savedAt })
      setError(undefined)
      setId(answer._id)
      setKept(body)
      if (!known) onCreated(answer._id)
      void refresh(queries, madeOfDrafts)
      return answer._id
    } catch (problem) {
      latest.current.isDirty = true
      // Without an error response it may have been saved: the saved state is unknown.
      if (!isOvertaken(problem)) latest.current.version = undefined
      setSave({ state: 'failed' })
      if (problem instanceof CallError) setError(problem)
      throw problem
    }
  }

  // Leaving the wizard within the product saves pending changes.
  const leave = useRef(flush)
  useEffect(() => {
    leave.current = flush
  })
  useEffect(() => () => void leave.current().catch(() => undefined), [])
  // What could not be saved offline is saved once there is a connection.
  useEffect(() => onReconnected(() => void leave.current().catch(() => undefined)), [])

  /** The saved version: a start must refer to it. */
  const version = () => latest.current.version

  return { draft, kept, id, save, error, change, changeNow, flush, version }
}

/** The draft was saved or started elsewhere: further changes here are not saved. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof CallError && error.status === 409
}

export type DraftHandle = ReturnType<typeof useDraft>

function contentOf({
  _id,
  status: _status,
  savedAt: _savedAt,
  version: _version,
  ...draft
}: SavedDraft): CampaignDraft {
  return draft
}
