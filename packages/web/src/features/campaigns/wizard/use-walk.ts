import type { EndpointName } from '@carillon/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mayCall, type CallError } from '../../../lib/call.ts'

type Walk<Seen> = {
  /** The call that tells of one recipient of what has this id; `read` makes it, and is always the same function. */
  name: EndpointName
  read: (id: string, seq: number, signal: AbortSignal) => Promise<Seen>
  id: string | undefined
  seq: number
  total: number
  enabled: boolean
}

const staleTime = 30_000

/** What a call says of one recipient; the neighbours are read ahead, so that the arrows feel immediate. */
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
