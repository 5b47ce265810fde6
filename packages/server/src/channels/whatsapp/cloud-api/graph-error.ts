import { truncate } from '@carillon/contract/text'
import { isRow, rowOf, stringOf, type Row } from '../../read-json.ts'

/** An error of the Graph API. */
export type GraphError = {
  code: number
  subcode: number | undefined
  /** For the log and the account's administrator. */
  detail: string
  /** Meta's text for users, if any. */
  userMessage: string | undefined
  isTransient: boolean
}

const longestDetail = 300

/** The error in a response; undefined if it has none with a code. */
export function findError(body: unknown): GraphError | undefined {
  const { error } = rowOf(body)
  if (!isRow(error)) return undefined
  const code = Number(error['code'])
  if (!Number.isInteger(code)) return undefined
  const subcode = Number(error['error_subcode'])
  return {
    code,
    subcode: Number.isInteger(subcode) ? subcode : undefined,
    detail: describeError(error),
    userMessage: describeForUsers(error),
    isTransient: error['is_transient'] === true,
  }
}

/** The most specific text. Webhooks write the same without an envelope. */
export function describeError(error: Row): string {
  const details = stringOf(rowOf(error['error_data'])['details'])
  const message = [details, stringOf(error['message']), stringOf(error['title'])].find((words) => words !== undefined)
  return truncate(message ?? `Meta answered with code ${stringOf(error['code']) ?? 'none'}`, longestDetail)
}

function describeForUsers(error: Row): string | undefined {
  const title = stringOf(error['error_user_title'])
  const message = stringOf(error['error_user_msg'])
  if (message === undefined) return title
  return title === undefined || message.startsWith(title) ? message : `${title}: ${message}`
}
