import { sql, type RawBuilder } from 'kysely'

/** Searches the name or a text of the content; the search text is never a pattern. */
export function matchesSearch(words: string, contentFields: readonly string[]): RawBuilder<boolean> {
  const pattern = `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const texts = [sql.ref('templates.name'), ...contentFields.map((field) => sql`templates.content ->> ${field}::text`)]
  return sql<boolean>`(${sql.join(
    texts.map((text) => sql`${text} ilike ${pattern}`),
    sql` or `,
  )})`
}
