import { sql, type RawBuilder } from 'kysely'

/** In the name, or in a text of the content; what a person types is never a pattern. */
export function matchesSearch(words: string, contentFields: readonly string[]): RawBuilder<boolean> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const texts = [sql.ref('templates.name'), ...contentFields.map((field) => sql`templates.content ->> ${field}::text`)]
  return sql<boolean>`(${sql.join(
    texts.map((text) => sql`${text} ilike ${pattern}`),
    sql` or `,
  )})`
}
