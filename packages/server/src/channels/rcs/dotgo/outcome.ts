import { truncate } from '@carillon/contract/text'
import type { FailureClass } from '@carillon/contract/campaign-records'
import { EgressError, type EgressAnswer } from '../../../egress/egress.ts'
import { Refusal } from '../../management.ts'
import type { SendOutcome } from '../../provider.ts'
import { isRow, rowOf, stringOf, type Row } from '../../read-json.ts'
import { parseJson } from '../json.ts'

const throttleMs = 1_000
const busyMs = 2_000
/** Its campaigns are paused once the template's state is read, and these messages are sent when it is approved again. */
const suspendedMs = 600_000

/** The platform's response to a message. `id`: the id under which it was sent, if the response names none. */
export function readSent({ status, body }: Pick<EgressAnswer, 'status' | 'body'>, id: string): SendOutcome {
  const answer = rowOf(parseJson(body))
  const problem = findProblem(answer)
  if (status < 300 && problem === undefined) return { kind: 'accepted', providerMessageIds: [idOf(answer) ?? id] }
  const code = stringOf(rowOf(answer['error'])['status']) ?? `http_${status}`
  const detail = truncate(problem ?? `The operator responded with ${status}`, 300)
  if (status === 429)
    return { kind: 'retry', afterMs: throttleMs, reason: 'throughput_limited', code, detail, throttled: true }
  // The platform does not recognise a repeat.
  if (status >= 500) return { kind: 'unknown', code, detail }
  if (status !== 401 && isSuspended.test(detail))
    return { kind: 'retry', afterMs: suspendedMs, reason: 'template_paused', code, detail, throttled: false }
  return { kind: 'rejected', ...meaningOf(status, detail), code, detail }
}

/** The error in a response, which may have the status 200; undefined if it has none. */
export function findProblem(answer: Row): string | undefined {
  const { error, status, message } = answer
  const said = (isRow(error) ? stringOf(error['message']) : stringOf(error)) ?? stringOf(message)
  const isProblem =
    isRow(error) || stringOf(error) !== undefined || /^(?:bad request|error|failed)$/i.test(String(stringOf(status)))
  return isProblem ? (said ?? 'The operator gave no reason') : undefined
}

function idOf(answer: Row): string | undefined {
  return ['messageId', 'messageID', 'id', 'msgId'].map((name) => stringOf(answer[name])).find((id) => id !== undefined)
}

const isSuspended = /template\b.*\b(?:pending|suspended)/i

type Meaning = { reason: FailureClass; scope: 'message' | 'sender' }

const byText: { text: RegExp; meaning: Meaning }[] = [
  {
    text: /no template|template\b.*\b(?:rejected|not found|not exist|deleted)/i,
    meaning: { reason: 'template_disabled', scope: 'message' },
  },
  { text: /customparams|parameter|variable/i, meaning: { reason: 'template_params', scope: 'message' } },
  {
    text: /no bot|bot\b.*\b(?:not found|inactive|suspended)/i,
    meaning: { reason: 'sender_rejected', scope: 'sender' },
  },
  { text: /tester|not launched/i, meaning: { reason: 'sender_rejected', scope: 'message' } },
  { text: /device|capabilit|feature/i, meaning: { reason: 'operator_rejected', scope: 'message' } },
]

const byStatus: Partial<Record<number, Meaning>> = {
  401: { reason: 'channel_auth', scope: 'sender' },
  403: { reason: 'sender_rejected', scope: 'sender' },
  404: { reason: 'number_unreachable', scope: 'message' },
}

/** The texts decide where they are known: one status has several meanings. */
function meaningOf(status: number, detail: string): Meaning {
  const known = status === 401 ? undefined : byText.find(({ text }) => text.test(detail))
  return known?.meaning ?? byStatus[status] ?? { reason: 'bad_request', scope: 'message' }
}

/** No response, or no token. */
export function readFailure(error: unknown): SendOutcome {
  if (error instanceof Refusal) {
    const { code, message: detail, kind } = error
    return kind === 'passing'
      ? { kind: 'retry', afterMs: busyMs, reason: 'not_connected', code, detail, throttled: false }
      : { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  }
  if (!(error instanceof EgressError)) return { kind: 'unknown', code: 'FAILED', detail: truncate(String(error), 300) }
  const { code, message: detail, sent } = error
  if (code === 'EGRESS_REFUSED') return { kind: 'rejected', reason: 'channel_auth', code, detail, scope: 'sender' }
  if (sent) return { kind: 'unknown', code, detail }
  return { kind: 'retry', afterMs: busyMs, reason: 'not_connected', code, detail, throttled: false }
}
