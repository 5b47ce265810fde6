import { sql } from 'kysely'
import { asSystem, type Database } from '../../db/pool.ts'
import type { NoteCall } from '../../http/answered-calls.ts'
import { runEvery } from '../../lib/background.ts'
import type { Logger } from '../../lib/logger.ts'
import { createCounter } from '../../lib/metrics.ts'
import { describeCall, type LoggedRequest } from './describe-call.ts'

export type RequestLog = {
  note: NoteCall
  /** Writes the waiting requests regularly, and all of them when it stops. */
  start(): { stop(): Promise<void> }
}

const writeEveryMs = 300

/** What waits in memory while the database is slow or away. Of an insert: what is written in one statement. */
type Limits = { rows: number; bytes: number; insertRows: number; insertBytes: number }
const defaultLimits: Limits = { rows: 10_000, bytes: 32 * 1024 * 1024, insertRows: 500, insertBytes: 2 * 1024 * 1024 }

const lost = createCounter({
  name: 'carillon_request_log_lost_total',
  help: 'Calls missing in the request log: too many waited to be written (full), or the database refused them (refused)',
  labelNames: ['reason'],
})

type Deps = { database: Database; logger: Logger; limits?: Limits }
type Waiting = { row: LoggedRequest; bytes: number }

/**
 * Collects calls in memory and appends them in batches, so that no call waits for it. A crash loses those of the last moments; what exceeds the
 * limits is dropped.
 */
export function createRequestLog({ database, logger, limits = defaultLimits }: Deps): RequestLog {
  const waiting: Waiting[] = []
  let bytes = 0
  let dropped = 0

  function note(call: Parameters<NoteCall>[0]) {
    const row = describeCall(call)
    const size = sizeOf(row)
    if (waiting.length >= limits.rows || bytes + size > limits.bytes) {
      dropped += 1
      lost({ reason: 'full' }).count += 1
      return
    }
    waiting.push({ row, bytes: size })
    bytes += size
  }

  /** The oldest rows, as many as one statement writes. */
  function nextBatch(): Waiting[] {
    let size = 0
    const end = waiting.findIndex((each, index) => {
      size += each.bytes
      return index > 0 && (index >= limits.insertRows || size > limits.insertBytes)
    })
    return waiting.slice(0, end < 0 ? waiting.length : end)
  }

  async function write() {
    if (dropped > 0) {
      logger.warn({ dropped }, 'calls are missing in the request log: too many waited to be written')
      dropped = 0
    }
    while (waiting.length > 0) {
      const batch = nextBatch()
      await insertAll(batch)
      // Calls that were noted meanwhile are behind them.
      waiting.splice(0, batch.length)
      bytes -= batch.reduce((sum, each) => sum + each.bytes, 0)
    }
  }

  async function insertAll(batch: readonly Waiting[]) {
    try {
      await insert(
        database,
        batch.map(({ row }) => row),
      )
    } catch (error) {
      if (!isRefused(error)) throw error
      lost({ reason: 'refused' }).count += batch.length
      logger.error({ err: error, calls: batch.length }, 'the database refused calls of the request log')
    }
  }

  return {
    note,
    start() {
      const writing = runEvery(writeEveryMs, write, { name: 'writing the request log', logger })
      return {
        async stop() {
          await writing.stop()
          await write().catch((error: unknown) =>
            logger.warn({ err: error, calls: waiting.length }, 'the last calls of the request log were lost'),
          )
        },
      }
    },
  }
}

/** Of what can be long, and of the rest about. */
function sizeOf({ request_body, response_body, message, message_ids }: LoggedRequest): number {
  return (
    500 +
    2 * (request_body?.length ?? 0) +
    2 * (response_body?.length ?? 0) +
    (message?.length ?? 0) +
    40 * message_ids.length
  )
}

/** Data that will never be accepted, such as a row of a day that has no partition. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

async function insert(database: Database, rows: readonly LoggedRequest[]): Promise<void> {
  // Days are those of the database's time zone, like those of the messages.
  await asSystem(database, (db) =>
    sql`
      insert into api_requests (organization_id, id, created_on, created_at, account_id, api_key_id, environment, call, method, path, http_status,
        code, message, duration_ms, client_address, idempotency_key, is_replay, channel, messages, accepted, refused, message_ids, cost,
        request_body, is_request_cut, response_body, is_response_cut)
      select organization_id, id, created_at::date, created_at, account_id, api_key_id, environment, call, method, path, http_status,
        code, message, duration_ms, client_address, idempotency_key, is_replay, channel, messages, accepted, refused, message_ids, cost,
        request_body, is_request_cut, response_body, is_response_cut
      from jsonb_populate_recordset(null::api_requests, ${JSON.stringify(rows)}::jsonb)`.execute(db),
  )
}
