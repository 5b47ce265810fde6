import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import pg from 'pg'

const compiler = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A fragment as a text without parameters, for statements that take none, such as COPY. Its values are texts, and arrays of ids. */
export function sqlText(fragment: RawBuilder<unknown>): string {
  const { sql: text, parameters } = fragment.compile(compiler)
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => literalOf(parameters[Number(place) - 1]))
}

function literalOf(value: unknown): string {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join(',')}}`)
  throw new TypeError('Only texts and arrays of texts can be written into a statement')
}
