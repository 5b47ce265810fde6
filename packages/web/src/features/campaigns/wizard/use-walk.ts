import type { EndpointName } from '@carillon/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mayCall, type CallError } from '../../../lib/call.ts'

type Walk<Seen> = {
  /** The call that reads one recipient; `read` must be a stable function. */
  name: EndpointName
  read: (id: string, seq: number, signal: AbortSignal) => Promise<Seen>
  id: string | undefined
  seq: number
  total: number
  enabled: boolean
}

const staleTime = 30_000

/** Reads one recipient; its neighbours are prefetched, so that the arrows respond immediately. */
export function useWalk<Seen>({ name, read, id = '', seq, total, enabled }: Walk<Seen>) {
  const queries = useQueryClient()
  const isOn = enabled && id !== '' && seq < total && mayCall(name)
  const query = useQuery<Seen, CallError>({
    queryKey: [name, id, seq],
    queryFn: ({ signal }) => read(id, seq, signal),
    enabled: isOn,
    placeholderData: keepPreviousData,
    staleTime,
  })

  useEffect(() => {
    if (!isOn) return
    for (const near of [seq + 1, seq - 1]) {
      if (near < 0 || near >= total) continue
      void queries.prefetchQuery({
        queryKey: [name, id, near],
        queryFn: ({ signal }) => read(id, near, signal),
        staleTime,
      })
    }
  }, [queries, name, read, isOn, id, seq, total])

  return isOn ? query : undefined
}
