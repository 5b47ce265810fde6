import { reportColumns } from '../housekeeping/counter-columns.ts'
import { isAccepted } from '../reports/was-accepted.ts'

const money: readonly string[] = ['cost', 'refunded']
/** The columns that messages determine: the counts, and of money what was paid in the end. */
export const provedNumbers = reportColumns.filter((name) => !money.includes(name))
export const provedColumns = [...provedNumbers, 'paid'] as const

const wasAccepted = isAccepted('message')

const counts: ReadonlyMap<string, string> = new Map([
  ['submitted', `count(*) filter (where ${wasAccepted})`],
  ['parts', `coalesce(sum(message.parts) filter (where ${wasAccepted}), 0)`],
  ['paid', 'coalesce(sum(charge_of(message.status, message.price, message.billable_on)), 0)'],
])

/** What the messages say: their statuses, and what the provider ever accepted. */
export const countMessages = provedColumns
  .map((name) => `${counts.get(name) ?? `count(*) filter (where message.status = '${name}')`} as ${name}`)
  .join(', ')

/** The day on which a message counts. Messages that are older than `left_on` count on the day of their partition. */
export const dayOfMessage = 'coalesce(message.left_on, message.created_on)'

/** The same of rows with the columns of counters. */
export const sumFigures = [
  ...provedNumbers.map((name) => `sum(figures.${name}) as ${name}`),
  'sum(figures.cost - figures.refunded) as paid',
].join(', ')

/** By column, what is said and what was found, of those that differ; null if none does. */
export const differences = (said: string, found: string): string => `(
  select jsonb_object_agg(name, jsonb_build_array(said, found))
  from (values ${provedColumns
    .map((name) => `('${name}', coalesce(${said}.${name}, 0)::bigint, coalesce(${found}.${name}, 0)::bigint)`)
    .join(', ')}) as compared (name, said, found)
  where said <> found)`
