import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const testFiles = ['packages/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts', 'e2e/**/*.test.ts']
const files = testFiles.flatMap((pattern) => globSync(pattern, { cwd: root }))

type Proof = { document: string; file: string; titles: string[] }

/** Test files named in a table, with the titles that follow in the same cell. */
function readProofs(document: string): Proof[] {
  const rows = readFileSync(join(root, document), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return rows.flatMap((row) =>
    [...row.matchAll(/`([\w./-]+\.test\.tsx?)`((?:(?!`)[^|])*)/g)].map(([, file = '', rest = '']) => ({
      document,
      file,
      titles: [...rest.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(([, title = '']) => title),
    })),
  )
}

test.each(['README.md', 'SECURITY.md'].flatMap(readProofs))('$document: $file has $titles', ({ file, titles }) => {
  // Several modules have files of the same name.
  const named = files.filter((path) => path === file || path.endsWith(`/${file}`))
  expect(named).not.toEqual([])
  const texts = named.map((path) => readFileSync(join(root, path), 'utf8'))
  // An ellipsis matches any part of the title.
  const missing = titles.filter(
    (title) => !texts.some((text) => title.split('…').every((part) => text.includes(part.trim()))),
  )
  expect(missing).toEqual([])
})
