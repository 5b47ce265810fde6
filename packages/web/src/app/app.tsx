import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { CallError } from '../lib/call.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { createAppRouter } from './router.tsx'
import { SecurityAlert } from './security-alert.tsx'
import { SessionExpired } from './session-expired.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the server refused, it refuses again; only a lost connection is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof CallError && (error.code === 'network' || error.status >= 502),
    },
    mutations: { retry: false },
  },
})

const router = createAppRouter(queries)

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RouterProvider router={router} />
        <SessionExpired router={router} />
        <SecurityAlert />
      </TooltipProvider>
    </QueryClientProvider>
  )
}
