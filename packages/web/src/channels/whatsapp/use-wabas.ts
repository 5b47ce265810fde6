import { useApi } from '../../lib/use-api.ts'

/** The WhatsApp accounts that can be used now, with the numbers that are on. */
export function useWabas() {
  const active = useApi('wabas.active', {}, { staleTime: 30_000 })
  return {
    wabas: active.data ?? [],
    isPending: active.isPending,
    error: active.error,
    retry: () => void active.refetch(),
  }
}
