import type { LegReach } from '@carillon/contract/campaign-drafts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refresh, useApi, useApiWrite } from '../../../lib/use-api.ts'

const pollMs = 1000

/** Who can be reached over the legs of a saved draft, read again while a check is under way. */
export function useReach(draftId: string) {
  const queries = useQueryClient()
  const input = { path: { id: draftId } }
  const known = queries.getQueryData<{ legs: LegReach[] }>(['drafts.reach', input])
  const isChecking = known?.legs.some(({ status }) => status === 'checking') ?? false
  const reach = useApi('drafts.reach', input, { refetchInterval: isChecking ? pollMs : false })
  const check = useApiWrite('drafts.checkReach', { refreshes: ['drafts.reach'] })

  // The estimate counts who begins with which leg, so it changes when a check ends.
  const ended = reach.data?.legs.map(({ status, checkedAt }) => (status === 'checking' ? '' : `${checkedAt}`)).join()
  useEffect(() => {
    if (ended) void refresh(queries, ['drafts.estimate', 'drafts.recipients'])
  }, [queries, ended])

  return {
    legs: reach.data?.legs ?? [],
    isPending: reach.isPending,
    error: reach.error,
    retry: () => void reach.refetch(),
    /** `again`: also the numbers with a recent answer. */
    check: (again: boolean) => check.mutate({ ...input, query: again ? { again: 'true' } : {} }),
    isRequesting: check.isPending,
    refusal: check.error,
  }
}
