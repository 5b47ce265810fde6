import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'
import { onReconnected } from './connection.ts'

/** Everything read from the server is kept here and nowhere else. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      // Without a connection a read fails at once, and a write is never queued for later.
      networkMode: 'always',
      staleTime: 15_000,
      // What the server refused, it refuses again; only a lost connection is worth another try.
      retry: (failures, error) => failures < 1 && error instanceof CallError && error.code === 'network',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

onReconnected(() => void queries.invalidateQueries())

/** A module that was taken away meanwhile: its screens and locks follow at once. */
function noteRefusal(error: Error) {
  if (error instanceof CallError && error.code === 'module_forbidden')
    void queries.invalidateQueries({ queryKey: ['permissions.list'] })
}
