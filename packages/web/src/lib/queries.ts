import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'

/** Everything read from the server is kept here and nowhere else. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused, it refuses again; only a lost connection is worth another try.
      retry: (failures, error) => failures < 1 && error instanceof CallError && error.code === 'network',
    },
    mutations: { retry: false },
  },
})
