import { Preferences } from '@carillon/contract/accounts'
import type { Notification, NotificationKind } from '@carillon/contract/notifications'
import { sql } from 'kysely'
import type { z } from 'zod'
import { notifyAfterCommit, type Db } from '../../db/pool.ts'
import { eventChannel } from '../../events/domain-events.ts'
import { newId } from '../../lib/ids.ts'

export type NewNotification = {
  organizationId: string
  accountId: string
  kind: z.infer<typeof NotificationKind>
  title: string
  description: string
  link?: NonNullable<Notification['link']>
  /** Identifies the event, so that repeats create one notification. Such as 'campaign_completed:<id>'. */
  eventKey: string
  /**
   * Merges the notification with that of the same event key: it becomes new again, moves to the top and counts the events
   * since it was last read. Never mailed. Such as 'message_received:<chatId>'.
   */
  merges?: true
  /** Events that a merged notification adds; 1 by default. */
  count?: number
}

type Kind = NewNotification['kind']

/** Kinds that can also be mailed, by the account's preference. */
const mailPreferences: Partial<Record<Kind, 'mailCampaigns' | 'mailBalance' | 'mailSupport'>> = {
  campaign_completed: 'mailCampaigns',
  campaign_paused: 'mailCampaigns',
  campaign_resumed: 'mailCampaigns',
  campaign_failed: 'mailCampaigns',
  topup_requested: 'mailBalance',
  topup_approved: 'mailBalance',
  topup_rejected: 'mailBalance',
  balance_low: 'mailBalance',
  key_limit_exceeded: 'mailBalance',
  sending_paused: 'mailCampaigns',
  support_opened: 'mailSupport',
  support_answered: 'mailSupport',
}
const usual = Preferences.parse({})

/**
 * Adds notifications in the transaction of their event, for accounts above and below the actor. A database notification
 * informs the web processes, which push them.
 */
export async function notify(db: Db, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return
  const entries = notifications.map(({ organizationId, accountId, eventKey, ...fields }) => ({
    ...fields,
    id: newId(),
    organization_id: organizationId,
    account_id: accountId,
    event_key: eventKey,
    ...mailOf(fields.kind),
  }))
  await sql`select add_notifications(${JSON.stringify(entries)}::jsonb)`.execute(db)
  notifyAfterCommit(db, eventChannel)
}

function mailOf(kind: Kind): { mail_preference?: string; mail_default?: boolean } {
  const preference = mailPreferences[kind]
  return preference ? { mail_preference: preference, mail_default: usual[preference] } : {}
}
