import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../lib/call.ts'
import { useApi } from '../../../lib/use-api.ts'

type UsePreview = { id: string | undefined; seq: number; total: number; enabled: boolean }

/** One recipient's message; the neighbours are read ahead, so that the arrows feel immediate. */
export function usePreview({ id, seq, total, enabled }: UsePreview) {
  const queries = useQueryClient()
  const isOn = enabled && id !== undefined && seq < total
  const query = useApi(
    'drafts.preview',
    { path: { id: id ?? '', seq } },
    { enabled: isOn, keepPrevious: true, staleTime: 30_000 },
  )

  useEffect(() => {
    if (!isOn || !id) return
    for (const near of [seq + 1, seq - 1]) {
      if (near < 0 || near >= total) continue
      const input = { path: { id, seq: near } }
      void queries.prefetchQuery({
        queryKey: ['drafts.preview', input],
        queryFn: ({ signal }) => call('drafts.preview', input, { signal }),
        staleTime: 30_000,
      })
    }
  }, [queries, isOn, id, seq, total])

  return isOn ? query : undefined
}
