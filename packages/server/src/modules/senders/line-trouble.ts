import type { Channel } from '@carillon/contract/channels'
import { z } from 'zod'
import { getLineRules } from '../../channels/index.ts'
import type { LineRules } from '../../channels/account-rules.ts'
import type { LineFacts } from '../../channels/management.ts'
import type { Db } from '../../db/pool.ts'
import { addJob, defineJob } from '../../jobs/jobs.ts'

export const LineKey = z.object({ organizationId: z.string(), senderId: z.string() })
export type LineKey = z.infer<typeof LineKey>

/** A line that its provider has stopped, or that must not send marketing. */
export const LineTrouble = LineKey.extend({ stops: z.enum(['everything', 'marketing']) })
export type LineTrouble = z.infer<typeof LineTrouble>

export const reportLineTrouble = defineJob('lines.trouble', LineTrouble)
export const reportLineRecovery = defineJob('lines.recovery', LineKey)

type LineChange = LineKey & { channel: Channel; before: unknown; now: State }
type State = Pick<LineFacts, 'quality' | 'status'>

/** Queues a job for the campaigns of a line that its provider stopped, or accepts again. Called with the change of its facts. */
export async function reportLineChange(db: Db, { channel, before, now, ...key }: LineChange): Promise<void> {
  const rules = getLineRules(channel)
  const was = StoredFacts.catch(unknown).parse(before)
  const stops = worsened(was, now, rules)
  if (stops) await addJob(db, reportLineTrouble, { payload: { ...key, stops } })
  const hasRecovered = rules.isStopped(was.status) && !rules.isStopped(now.status)
  if (rules.resumes && hasRecovered) await addJob(db, reportLineRecovery, { payload: key })
}

const StoredFacts = z.object({ quality: z.string().catch(''), status: z.string().catch('') })
const unknown = { quality: '', status: '' }

/** What a line's new state stops, compared with the stored one; undefined if it is not worse. */
function worsened(
  was: z.infer<typeof StoredFacts>,
  now: State,
  { isStopped }: LineRules,
): LineTrouble['stops'] | undefined {
  if (isStopped(now.status) && !isStopped(was.status)) return 'everything'
  return now.quality === 'red' && was.quality !== 'red' ? 'marketing' : undefined
}
