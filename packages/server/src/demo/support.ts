import type { NotificationKind } from '@carillon/contract/notifications'
import type { SupportStatus } from '@carillon/contract/support'
import type { z } from 'zod'
import type { Db } from '../db/pool.ts'
import { newId } from '../lib/ids.ts'
import type { CreatedAccount } from '../modules/accounts/index.ts'
import type { Cast } from './cast.ts'

/** The reseller's brand, three open support threads, and recent notifications. */
export async function addSupport(db: Db, cast: Cast): Promise<void> {
  await addBrand(db, cast.reseller)
  const late = await addThread(db, lateReports(cast))
  const header = await addThread(db, newHeader(cast))
  const dispute = await addThread(db, invoiceQuestion(cast))
  await addThread(db, praise(cast))
  await addAnnouncements(db, cast, { late, header, dispute })
}

async function addBrand(db: Db, reseller: CreatedAccount) {
  const brand = {
    name: 'Deccan Messaging',
    color: '#0f766e',
    colorDark: '#5eead4',
    supportEmail: 'help@deccan.test',
    supportUrl: '',
    privacyUrl: '',
    certification: '',
    mailSenderName: 'Deccan Messaging',
    mailReplyTo: '',
  }
  await db
    .insertInto('brands')
    .values({ organization_id: reseller.organizationId, brand: JSON.stringify(brand) })
    .execute()
}

type Line = { by: CreatedAccount; name: string; hoursAgo: number; body: string; isNote?: true; isSystem?: true }
type Thread = {
  number: number
  subject: string
  kind?: 'feedback'
  category: string
  priority: string
  status: SupportStatus
  opener: CreatedAccount
  putTo: CreatedAccount[]
  lines: Line[]
}

/** Opened in the organisation and escalated to the reseller. */
function lateReports({ user, manager, reseller }: Cast): Thread {
  const rohan = { by: user, name: 'Rohan Kulkarni' }
  const acme = { by: manager, name: 'Acme Retail' }
  return {
    number: 1,
    subject: 'Delivery reports of the Pune list arrive late',
    category: 'delivery',
    priority: 'high',
    status: 'in_progress',
    opener: user,
    putTo: [manager, reseller],
    lines: [
      {
        ...rohan,
        hoursAgo: 27,
        body: 'Since yesterday evening, reports for numbers in Pune take an hour or more. Other cities are fine.',
      },
      { ...acme, hoursAgo: 25, body: 'Thanks, Rohan. Does it happen with both headers, or only with ACMERT?' },
      { ...rohan, hoursAgo: 24, body: 'Only ACMERT. I compared 40 numbers of each.' },
      { ...acme, hoursAgo: 6, body: 'Acme Retail escalated the request', isSystem: true },
      {
        ...acme,
        hoursAgo: 6,
        body: 'Checked on our side: the template and list are the same for both headers.',
        isNote: true,
      },
    ],
  }
}

function newHeader({ manager, reseller }: Cast): Thread {
  return {
    number: 2,
    subject: 'A second promotional header',
    category: 'dlt',
    priority: 'normal',
    status: 'waiting_on_customer',
    opener: manager,
    putTo: [reseller],
    lines: [
      {
        by: manager,
        name: 'Acme Retail',
        hoursAgo: 50,
        body: 'We would like to send offers under 140002 as well. What do you need from us?',
      },
      {
        by: reseller,
        name: 'Deccan Messaging',
        hoursAgo: 47,
        body: 'The approval letter with the header and your entity id. Once it is registered, it takes us a few minutes.',
      },
    ],
  }
}

function invoiceQuestion({ manager2, reseller }: Cast): Thread {
  return {
    number: 1,
    subject: 'GST number on our invoices',
    category: 'billing',
    priority: 'low',
    status: 'open',
    opener: manager2,
    putTo: [reseller],
    lines: [
      {
        by: manager2,
        name: 'Kothrud Books',
        hoursAgo: 3,
        body: 'Our GST number changed this month. Can the November invoice carry the new one?',
      },
    ],
  }
}

function praise({ reseller, admin }: Cast): Thread {
  return {
    number: 1,
    subject: 'Two resellers side by side',
    kind: 'feedback',
    category: 'feature_request',
    priority: 'normal',
    status: 'open',
    opener: reseller,
    putTo: [admin],
    lines: [
      {
        by: reseller,
        name: 'Deccan Messaging',
        hoursAgo: 75,
        body: 'The failure reasons are the clearest we have seen. A comparison of two months would make them complete.',
      },
    ],
  }
}

async function addThread(db: Db, thread: Thread): Promise<string> {
  const { opener, lines, putTo } = thread
  const id = newId()
  const organization_id = opener.organizationId
  const isHandedOn = lines.some(({ isSystem }) => isSystem)
  await db
    .insertInto('support_requests')
    .values({
      organization_id,
      id,
      number: thread.number,
      kind: thread.kind ?? 'support',
      subject: thread.subject,
      category: thread.category,
      priority: thread.priority,
      status: thread.status,
      account_id: opener.id,
      path: opener.path,
      answerer_id: putTo.at(-1)?.id ?? null,
      put_to: putTo.map((account) => account.id),
      escalated_at: isHandedOn ? hoursBefore(lines.at(-1)?.hoursAgo ?? 0) : null,
      created_at: hoursBefore(lines[0]?.hoursAgo ?? 0),
      updated_at: hoursBefore(lines.at(-1)?.hoursAgo ?? 0),
    })
    .execute()
  await db
    .insertInto('support_messages')
    .values(
      lines.map(({ by, name, hoursAgo, body, isNote, isSystem }, index) => ({
        organization_id,
        id: newId(),
        request_id: id,
        author_id: by.id,
        author_name: name,
        author_role: by.role,
        direction: isSystem ? ('system' as const) : by.id === opener.id ? ('customer' as const) : ('staff' as const),
        visibility: isNote ? 'internal' : 'public',
        body,
        created_at: new Date(hoursBefore(hoursAgo).getTime() + index),
      })),
    )
    .execute()
  return id
}

type SupportStory = {
  to: CreatedAccount
  kind: z.infer<typeof NotificationKind>
  title: string
  description: string
  request?: string
  hoursAgo: number
  isRead?: true
}

async function addAnnouncements(
  db: Db,
  { user, manager, reseller }: Cast,
  threads: Record<'late' | 'header' | 'dispute', string>,
) {
  const announcements: SupportStory[] = [
    {
      to: reseller,
      kind: 'support_opened',
      title: 'New support request',
      description: 'Kothrud Books: GST number on our invoices',
      request: threads.dispute,
      hoursAgo: 3,
    },
    {
      to: reseller,
      kind: 'support_opened',
      title: 'A support request was escalated to you',
      description: 'Acme Retail: Delivery reports of the Pune list arrive late',
      request: threads.late,
      hoursAgo: 6,
    },
    {
      to: user,
      kind: 'support_answered',
      title: 'Your request was escalated',
      description: 'Acme Retail: Delivery reports of the Pune list arrive late',
      request: threads.late,
      hoursAgo: 6,
    },
    {
      to: user,
      kind: 'support_answered',
      title: 'Your request was answered',
      description: 'Acme Retail: Delivery reports of the Pune list arrive late',
      request: threads.late,
      hoursAgo: 25,
      isRead: true,
    },
    {
      to: manager,
      kind: 'support_answered',
      title: 'Your request was answered',
      description: 'Deccan Messaging: A second promotional header',
      request: threads.header,
      hoursAgo: 47,
    },
    {
      to: manager,
      kind: 'support_opened',
      title: 'New support request',
      description: 'Rohan Kulkarni: Delivery reports of the Pune list arrive late',
      request: threads.late,
      hoursAgo: 27,
      isRead: true,
    },
  ]
  await db
    .insertInto('notifications')
    .values(
      announcements.map(({ to, kind, title, description, request, hoursAgo, isRead }, index) => ({
        organization_id: to.organizationId,
        id: newId(),
        account_id: to.id,
        kind,
        title,
        description,
        link: request ? JSON.stringify({ type: 'support_request', id: request }) : null,
        event_key: `demo:${index}`,
        created_at: hoursBefore(hoursAgo),
        read_at: isRead ? hoursBefore(hoursAgo - 1) : null,
      })),
    )
    .execute()
}

function hoursBefore(hours: number): Date {
  return new Date(Date.now() - hours * 3_600_000)
}
