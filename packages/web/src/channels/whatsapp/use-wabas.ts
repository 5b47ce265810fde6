import { useApi } from '../../lib/use-api.ts'

/** Usable WhatsApp accounts with their active numbers. */
export function useWabas() {
  const active = useApi('wabas.active', {}, { staleTime: 30_000 })
  return {
    wabas: active.data ?? [],
    isPending: active.isPending,
    error: active.error,
    retry: () => void active.refetch(),
  }
}
