import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'
import { onReconnected } from './connection.ts'

/** The only cache of server data. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      // Offline, reads fail immediately, and writes are never queued.
      networkMode: 'always',
      staleTime: 15_000,
      // Rejections are final; only lost connections are retried.
      retry: (failures, error) => failures < 1 && error instanceof CallError && error.code === 'network',
    },
    // Answers may have secrets: one is kept only as long as a component uses it.
    mutations: { networkMode: 'always', retry: false, gcTime: 0 },
  },
})

onReconnected(() => void queries.invalidateQueries())

/** After a module was revoked: updates screens and locks immediately. */
function noteRefusal(error: Error) {
  if (error instanceof CallError && error.code === 'module_forbidden')
    void queries.invalidateQueries({ queryKey: ['permissions.list'] })
}
