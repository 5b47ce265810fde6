import type pg from 'pg'
import { holdingConnection } from '../../db/one-connection.ts'
import { storableText } from '../../lib/storable.ts'

/** A pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>

/** A frequent statement: prepared once per connection. */
export type Statement = {
  name: string
  text: string
  /** Maximum time for the response in milliseconds; then the connection is closed. */
  query_timeout?: number
}

export async function run<Row extends pg.QueryResultRow>(
  db: Queryable,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  return (await db.query<Row>({ ...statement, values })).rows
}

/** One transaction on a connection of its own. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await holdingConnection(() => work(client))
    await client.query('commit')
    return result
  } catch (error) {
    // The first error is the cause; a connection that cannot roll back is discarded.
    await client.query('rollback').catch((failure: Error) => (broken = failure))
    throw error
  } finally {
    client.release(broken)
  }
}

/** An array of numbers in PostgreSQL's text format; the driver's own serialisation of arrays takes a third of a send's time. */
export function numberArray(values: readonly (number | null | undefined)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) text += `${index > 0 ? ',' : ''}${values[index] ?? 'null'}`
  return `${text}}`
}

export function textArray(values: readonly (string | null | undefined)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]
    if (index > 0) text += ','
    if (value === null || value === undefined) text += 'null'
    else text += plain.test(value) && value.length > 0 && value !== 'null' ? value : quote(value)
  }
  return `${text}}`
}

/** Words that need no quoting; an unquoted NULL would be read as null. */
const plain = /^(?!null$)[\w:.+-]+$/i

/** Few texts contain anything to escape, and testing is cheaper than replacing. */
const escaped = /["\\\u0000\ud800-\udfff]/

function quote(value: string): string {
  if (!escaped.test(value)) return `"${value}"`
  return `"${storableText(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/** Trailing columns that are null in the whole batch are omitted: unnest fills them with nulls. */
export function sparseText(values: readonly (string | null | undefined)[]): string {
  return values.every((value) => value === null || value === undefined) ? '{}' : textArray(values)
}
