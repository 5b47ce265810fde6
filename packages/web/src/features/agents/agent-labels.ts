import type { AgentPeriod, LiveAgent } from '@carillon/contract/live-agents'

export const periodLabels: Record<AgentPeriod, string> = {
  day: 'Today',
  week: 'Last 7 days',
  month: 'Last 30 days',
}

export const agentRoleLabels: Record<LiveAgent['role'], string> = {
  admin: 'Admin',
  reseller: 'Reseller',
  manager: 'Organisation',
  user: 'User',
  department_head: 'Department head',
}
