import type { EndpointName } from '@carillon/contract'

/** Reads that change with an agent. */
export const agentReads = [
  'agents.list',
  'agents.search',
  'agents.own',
  'teams.list',
] as const satisfies readonly EndpointName[]
