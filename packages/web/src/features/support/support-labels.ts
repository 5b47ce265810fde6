import type { SupportCategory, SupportPriority, SupportRequest, SupportStatus } from '@carillon/contract/support'
import { CircleCheck, CircleDashed, Clock, Loader, RotateCcw, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { z } from 'zod'
import type { Tone } from '../../ui/pill.tsx'

type Category = z.infer<typeof SupportCategory>
type Priority = z.infer<typeof SupportPriority>

export const categoryNames: Record<Category, string> = {
  delivery: 'Delivery of messages',
  template_approval: 'Approval of a template',
  channel_onboarding: 'Setting up a channel',
  billing: 'Billing',
  topup: 'Top-up',
  dlt: 'DLT registration',
  api: 'API',
  account_access: 'Access to the account',
  bug: 'Something is broken',
  feature_request: 'Something is missing',
  abuse: 'Abuse',
  other: 'Something else',
}

export const priorityNames: Record<Priority, string> = { low: 'Low', normal: 'Normal', high: 'High', urgent: 'Urgent' }

type Look = { label: string; tone: Tone; icon: LucideIcon }

/** A request is pending for one side: the same status has different labels for each. */
const looks: Record<SupportStatus, Look & { forCustomer?: string }> = {
  open: { label: 'Open', tone: 'info', icon: Clock },
  in_progress: { label: 'In progress', tone: 'live', icon: Loader },
  waiting_on_customer: {
    label: 'Awaiting customer reply',
    forCustomer: 'Awaiting your reply',
    tone: 'care',
    icon: TriangleAlert,
  },
  resolved: { label: 'Resolved', tone: 'good', icon: CircleCheck },
  closed: { label: 'Closed', tone: 'neutral', icon: CircleDashed },
  reopened: { label: 'Reopened', tone: 'info', icon: RotateCcw },
}

export function statusStyleOf(status: SupportStatus, side: Side): Look {
  const { forCustomer, ...look } = looks[status]
  return side === 'customer' && forCustomer ? { ...look, label: forCustomer } : look
}

/** The statuses are the keys of the table. */
export const statusNames = Object.fromEntries(
  Object.entries(looks).map(([status, { label }]) => [status, label]),
) as Record<SupportStatus, string>

export type Side = 'customer' | 'staff'

/** The opener is the customer, whatever their role. */
export function sideOf(request: SupportRequest, accountId: string | undefined): Side {
  return request.openedBy._id === accountId ? 'customer' : 'staff'
}
