import type { Campaign } from '@carillon/contract/campaign-records'
import { messages } from '@carillon/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, CallError } from '../../../lib/call.ts'
import { countOf } from '../../../lib/format.ts'
import { holdSend, useHeldSend } from '../../../lib/held-send.ts'
import { refresh } from '../../../lib/use-api.ts'
import { useGo } from '../../../ui/area-link.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { DraftHandle } from './use-draft.ts'

const pollMs = 500

type UseSend = { handle: DraftHandle; people: number }

/**
 * Send: the draft is validated at once, the start waits ten seconds and happens only when they are over. A hold that is
 * taken back leaves a campaign that is ready, and the next change makes it a draft again.
 */
export function useSend({ handle, people }: UseSend) {
  const queries = useQueryClient()
  const go = useGo()
  const held = useHeldSend()
  const [isPreparing, setPreparing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { startAt, timezone } = handle.draft.schedule
  const to = countOf(people, 'person', 'people')

  async function start(id: string, version: string | undefined) {
    try {
      if (startAt) await call('smsCampaigns.schedule', { path: { id }, body: { startAt, timezone, version } })
      else await call('smsCampaigns.start', { path: { id }, body: { version } })
      await refresh(queries, ['smsCampaigns.list', 'smsCampaigns.get', 'balance.get'])
      toast.success(startAt ? `Scheduled for ${to}` : `Sending to ${to}`)
      go('campaigns', { c: id })
    } catch (error) {
      const message = error instanceof CallError ? error.message : messages.unexpected
      setProblem(message)
      toast.error(message)
    }
  }

  async function send() {
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
        label: startAt ? `Scheduling for ${to}` : `Sending to ${to}`,
        commit: () => start(id, version),
        onCancel: () => toast.plain('Nothing was sent. The draft is kept.'),
      })
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : messages.unexpected)
    } finally {
      setPreparing(false)
    }
  }

  /** A department head's end of the wizard: saved, and started by somebody who may. */
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

/** Waits until the validation has ended, one way or the other; what is ready already is not validated again. */
async function validated(id: string): Promise<Campaign> {
  const known = await call('smsCampaigns.get', { path: { id } })
  if (known.status === 'ready') return known
  let campaign = await call('drafts.validate', { path: { id } })
  while (campaign.status === 'validating') {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    campaign = await call('smsCampaigns.get', { path: { id } })
  }
  return campaign
}
