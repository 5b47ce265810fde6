import { ReportDetails } from '@carillon/contract/report-file-records'
import type { ReportDestination } from '@carillon/contract/report-schedule-records'
import type { Egress, EgressAnswer } from '../../egress/egress.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { createSigner, judgeError, judgeResponse, signedHeaders } from '../webhooks/index.ts'
import type { Delivered } from './delivered.ts'
import type { AttemptResult } from './record-attempt.ts'

type Webhook = Extract<ReportDestination, { type: 'webhook' }>
type Deps = { egress: Egress; clock: Clock }

const timeoutMs = 15_000
const keepBytes = 4096

/** Posts that a report is ready, signed by Standard Webhooks. The receiver downloads the file with an API key. */
export async function postReport(
  deps: Deps,
  {
    key,
    report,
    schedule,
    destination,
    secrets,
  }: Delivered & { destination: Webhook; secrets: Record<string, string> },
): Promise<AttemptResult & { isGone: boolean }> {
  const data = {
    reportId: report.id,
    scheduleId: schedule.id,
    name: report.name,
    type: report.type,
    channel: report.channel,
    from: report.first_day,
    to: report.last_day,
    timezone: report.timezone,
    format: report.format,
    rows: report.rows,
    sizeBytes: report.size_bytes,
    checksum: report.checksum?.toString('hex') ?? null,
    summary: ReportDetails.shape.summary.parse(report.summary),
    readyAt: report.ready_at?.toISOString() ?? null,
    expiresAt: report.expires_at?.toISOString() ?? null,
  }
  return post(deps, {
    url: destination.url,
    secret: secrets['secret'] ?? '',
    deliveryId: key.deliveryId,
    type: 'report.ready',
    data,
  })
}

/** A request without a report. */
export async function postTest(deps: Deps, { url }: Webhook, secrets: Record<string, string>) {
  return post(deps, { url, secret: secrets['secret'] ?? '', deliveryId: newId(), type: 'report.test', data: {} })
}

type Posted = { url: string; secret: string; deliveryId: string; type: string; data: Record<string, unknown> }

async function post({ egress, clock }: Deps, { url, secret, deliveryId, type, data }: Posted) {
  const at = clock.now()
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  const signed = signedHeaders(createSigner({ current: secret }), { deliveryId, at, body })
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Carillon-Webhooks/1.0' }
  let answer: EgressAnswer
  try {
    answer = await egress.request({ method: 'POST', url, headers, body, timeoutMs, wholeMs: timeoutMs, keepBytes })
  } catch (error) {
    return { error: judgeError(error).attempt.error ?? 'The request failed', response: null, isGone: false }
  }
  const { attempt, isSuccess, isGone } = judgeResponse(answer, at)
  const response = attempt.response ?? null
  return {
    error: isSuccess ? null : `The webhook answered ${answer.status}`,
    response: isSuccess ? `${answer.status}` : response,
    isFinal: isGone,
    isGone,
  }
}
