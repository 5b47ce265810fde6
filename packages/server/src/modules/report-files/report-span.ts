import type { Channel } from '@carillon/contract/channels'
import type { ReportType } from '@carillon/contract/report-file-records'
import type { Role } from '@carillon/contract/roles'
import pg from 'pg'

/** What a report covers. */
export type ReportSpan = {
  type: ReportType
  /** Days on which messages left, both included. */
  from: string
  to: string
  channel: Channel | 'all'
  /** Times are written in it. */
  timezone: string
  campaignId: string | null
  /** The account that requested the report. */
  requester: { accountId: string; role: Role }
}

/** The part of an organisation that a report covers. */
export type CoveredOrganization = {
  organizationId: string
  name: string
  /** The account whose messages, and those of accounts below, are covered. */
  path: string
  timezone: string
  /** Whether the account that requested the report sees the organisations below. */
  descends: boolean
}

/** COPY takes no parameters, so values are written into its statement. */
export const literal = (value: string): string => pg.escapeLiteral(value)

/** Whether a day, as an expression, is one of the report. */
export function isInSpan({ from, to }: Pick<ReportSpan, 'from' | 'to'>, day: string): string {
  return `${day} between ${literal(from)}::date and ${literal(to)}::date`
}
