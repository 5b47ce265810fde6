import type { Campaign } from '@carillon/contract/campaign-records'
import { messages } from '@carillon/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { holdSend, useHeldSend } from '../../../lib/held-send.ts'
import { listView } from '../../../lib/list-view.ts'
import { writeView } from '../../../lib/url-state.ts'
import { refresh } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { toast } from '../../../ui/toast.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'
import type { DraftHandle } from './use-draft.ts'

const pollMs = 500

type UseSend = { handle: DraftHandle; people: number }

/**
 * Validates the draft immediately and starts it after a delay of ten seconds. If the send is undone, the campaign stays ready,
 * and the next change turns it into a draft again.
 */
export function useSend({ handle, people }: UseSend) {
  const queries = useQueryClient()
  const go = useGo()
  const held = useHeldSend()
  const [isPreparing, setPreparing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  const { startAt, timezone } = handle.draft.schedule
  const to = countOf(people, 'person', 'people')

  async function start(id: string, version: string | undefined) {
    try {
      if (startAt) await call('campaigns.schedule', { path: { id }, body: { startAt, timezone, version } })
      else await call('campaigns.start', { path: { id }, body: { version } })
      await refresh(queries, showingCampaigns)
      toast.success(startAt ? `Scheduled for ${to}` : `Sending to ${to}`)
      // The user may have left the screen during the delay.
      if (isHere.current) go('campaigns', writeView(listView, { openId: id }))
    } catch (error) {
      const message = error instanceof CallError ? error.message : messages.unexpected
      // Shown in the wizard if it is still open, else as a toast.
      if (isHere.current) setProblem(message)
      else toast.error(message)
    }
  }

  async function send() {
    if (startAt && Date.parse(startAt) <= Date.now()) {
      setProblem('Choose a time in the future')
      return
    }
    setProblem(undefined)
    setPreparing(true)
    try {
      const id = await handle.flush()
      if (!id) return
      const version = handle.version()
      const campaign = await validated(id)
      if (campaign.status === 'failed') {
        setProblem(campaign.statusDetail ?? 'Validation error occurred')
        return
      }
      holdSend({
        id,
        action: startAt ? 'Schedule now' : 'Send now',
        label: startAt ? `Scheduling for ${to}` : `Sending to ${to}`,
        commit: () => start(id, version),
        onCancel: () => toast.plain('Nothing was sent. The draft is saved.'),
      })
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : messages.unexpected)
    } finally {
      setPreparing(false)
    }
  }

  /** For department heads: saves the campaign for approval. */
  async function saveForApproval() {
    try {
      await handle.flush()
      toast.success('Saved for approval', { description: 'A manager or user of your organisation can start it.' })
      go('campaigns')
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : messages.unexpected)
    }
  }

  return { send, saveForApproval, isPreparing, isHeld: held !== undefined && held.id === handle.id, problem }
}

/** Waits until the validation has ended; a ready campaign is not validated again. */
async function validated(id: string): Promise<Campaign> {
  const get = () => call('campaigns.get', { path: { id } })
  const known = await get()
  if (known.status === 'ready') return known
  let campaign: Campaign = await call('drafts.validate', { path: { id } })
  while (campaign.status === 'validating') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    campaign = await get()
  }
  return campaign
}
