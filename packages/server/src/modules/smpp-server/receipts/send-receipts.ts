import { listen } from '../../../db/listen.ts'
import type { Database } from '../../../db/pool.ts'
import { inBackground, runEvery } from '../../../lib/background.ts'
import { coalesce } from '../../../lib/coalesce.ts'
import type { Logger } from '../../../lib/logger.ts'
import { statuses } from '../../../lib/smpp/statuses.ts'
import type { BoundCredential } from '../sessions/authenticate-bind.ts'
import { deliver, roomOf, type Session } from '../sessions/session.ts'
import {
  claimReceipts,
  deleteReceipts,
  findDueCredentials,
  releaseReceipts,
  type ClaimedReceipt,
  type ReceiptKey,
} from './claim-receipts.ts'
import { receiptChannel } from './queue-receipts.ts'

const everyMs = 1000

export type ReceiptSender = {
  /** A receiver was bound, or has room again. */
  wake(): void
  onConfirmed(session: Session, receiptId: string, status: number): void
  onClosed(session: Session, unconfirmed: readonly string[]): void
  stop(): Promise<void>
}

type Options = { database: Database; databaseUrl: string; logger: Logger; sessions: ReadonlySet<Session> }

/** Sends receipts to the receivers that are bound to this process. A receipt is deleted once it is confirmed. */
export function startReceiptSender({ database, databaseUrl, logger, sessions }: Options): ReceiptSender {
  const sending = runEvery(everyMs, () => sendDue(database, sessions), { name: 'sending SMPP receipts', logger })
  const listener = listen({ url: databaseUrl, channel: receiptChannel, logger, onWake: sending.now })
  const confirm = coalesce<ReceiptKey>((keys) => deleteReceipts(database, keys), { size: 1000, waitMs: 20 })
  const pending = new Set<Promise<void>>()
  /** If it fails, the lease of the receipts ends. */
  const inTheBackground = (work: Promise<void>, name: string) => {
    const tracked = work.finally(() => pending.delete(tracked))
    pending.add(tracked)
    inBackground(tracked, { name, logger })
  }

  return {
    wake: sending.now,
    onConfirmed(session, receiptId, status) {
      const credential = session.bound?.credential
      if (!credential) return
      const key = { credential, receiptId }
      if (status === statuses.ok) inTheBackground(confirm([key]), 'confirming SMPP receipts')
      else inTheBackground(releaseReceipts(database, [key], { isRefused: true }), 'postponing SMPP receipts')
      if (session.deliveries.size === 0) sending.now()
    },
    onClosed({ bound }, unconfirmed) {
      if (!bound) return
      const keys = unconfirmed.map((receiptId) => ({ credential: bound.credential, receiptId }))
      inTheBackground(releaseReceipts(database, keys, { isRefused: false }), 'releasing SMPP receipts')
    },
    async stop() {
      await listener.stop()
      await sending.stop()
      await Promise.allSettled(pending)
    },
  }
}

async function sendDue(database: Database, sessions: ReadonlySet<Session>): Promise<void> {
  for (;;) {
    const receivers = Map.groupBy(
      [...sessions].filter((session) => roomOf(session) > 0),
      ({ bound }) => bound?.credential.id ?? '',
    )
    const due = await findDueCredentials(database, [...receivers.keys()])
    if (due.length === 0) return
    for (const id of due) await sendTo(database, receivers.get(id) ?? [])
  }
}

async function sendTo(database: Database, receivers: readonly Session[]): Promise<void> {
  const credential = receivers[0]?.bound?.credential
  const room = receivers.reduce((sum, session) => sum + roomOf(session), 0)
  if (!credential || room === 0) return
  const claimed = await claimReceipts(database, credential, room)
  const left = claimed.filter((receipt) => !sendOne(receivers, receipt))
  await releaseReceipts(
    database,
    left.map(({ id }) => keyOf(credential, id)),
    { isRefused: false },
  )
}

const keyOf = (credential: BoundCredential, receiptId: string): ReceiptKey => ({ credential, receiptId })

/** To the session with the most room; false if all were closed meanwhile. */
function sendOne(receivers: readonly Session[], { id, body }: ClaimedReceipt): boolean {
  const [session] = receivers.toSorted((one, other) => roomOf(other) - roomOf(one))
  if (!session || roomOf(session) === 0) return false
  deliver(session, { receiptId: id, body })
  return true
}
