import type { Availability, LiveAgent } from '@carillon/contract/live-agents'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { CallData, CallError } from './call.ts'
import { refresh, useApiWrite } from './use-api.ts'

const reads = ['agents.list', 'agents.own', 'agents.search', 'agents.day'] as const

type Change = { availability: Availability; autoOffline?: boolean }

/** Sets the availability of an agent; screens show it before the server has answered. */
export function useSetAvailability(onError: (error: CallError) => void): (id: string, change: Change) => void {
  const queries = useQueryClient()
  const set = useApiWrite('agents.setAvailability', {
    refreshes: reads,
    onError(error) {
      void refresh(queries, reads)
      onError(error)
    },
  })
  return (id, change) => {
    show(queries, id, change)
    set.mutate({ path: { id }, body: change })
  }
}

function show(queries: QueryClient, id: string, { availability, autoOffline }: Change) {
  const isOnline = availability === 'online'
  const change = (agent: LiveAgent): LiveAgent =>
    agent._id === id ? { ...agent, availability, isOnline, autoOffline: autoOffline ?? agent.autoOffline } : agent
  queries.setQueriesData<CallData<'agents.list'>>({ queryKey: ['agents.list'] }, (page) => {
    if (!page) return page
    const before = page.agents.filter((agent) => agent.isOnline).length
    const agents = page.agents.map(change)
    return { ...page, agents, online: page.online + agents.filter((agent) => agent.isOnline).length - before }
  })
  queries.setQueriesData<LiveAgent>({ queryKey: ['agents.own'] }, (own) => own && change(own))
}
