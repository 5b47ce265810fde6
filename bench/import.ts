import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createHash } from 'node:crypto'
import { from as copyFrom } from 'pg-copy-streams'
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded.ts'
import { createDatabaseIfMissing, migrate } from '../packages/server/src/db/migrate.ts'
import { asSystem, openDatabase, type Database } from '../packages/server/src/db/pool.ts'
import { newId } from '../packages/server/src/lib/ids.ts'
import { createAccount } from '../packages/server/src/modules/accounts/index.ts'
import { checkAudience, type AudienceRow } from '../packages/server/src/modules/audience/index.ts'
import { copyArray } from '../packages/server/src/modules/audience/copy-text.ts'
import { createFileStore, saveUpload, type FileStore } from '../packages/server/src/modules/files/index.ts'

const totalRows = Number(process.env['ROWS'] ?? 1_000_000)
const rounds = 3
const duplicateShare = 0.09
const invalidShare = 0.02

/**
 * A file of one million rows (five columns, quotes, four number formats, 9 % duplicates, 2 % invalid) until the
 * audience is ready, against PostgreSQL's own COPY of the rows that were accepted into the same table.
 */
export async function benchImport(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'carillon-bench-'))
  await chmod(directory, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDirectory: directory })
  const url = new URL(postgres.url)
  url.pathname = '/bench'
  try {
    await createDatabaseIfMissing(url.href)
    await migrate(url.href)
    const database = openDatabase(url.href, { app: 4, system: 4, owner: 4 })
    try {
      await compare(database, directory)
    } finally {
      await database.close()
    }
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function compare(database: Database, directory: string) {
  const csv = join(directory, 'people.csv')
  await writePeople(csv)
  const setting = {
    database,
    store: createFileStore(join(directory, 'files')),
    temporaryDirectory: join(directory, 'tmp'),
    csv,
  }
  const organization = await asSystem(database, (db) =>
    createAccount(db, {
      parent: undefined,
      role: 'manager',
      username: 'bench',
      email: 'bench@bench.example',
      name: 'Bench',
      passwordHash: '-',
      modules: [],
    }),
  )
  console.log(`${cpus().length} cores, ${totalRows} rows, ${Math.round((await stat(csv)).size / 1e6)} MB`)

  const normalised = join(directory, 'normalised.copy')
  const ours: number[] = []
  const limit: number[] = []
  let extraMemory = 0
  for (let round = 0; round < rounds; round += 1) {
    await database.ownerPool.query('truncate recipients')
    const run = await importOnce(setting, organization)
    ours.push(run.seconds)
    extraMemory = Math.max(extraMemory, run.extraMegabytes)
    await assertExact(database, run.audience)
    if (round === 0) await writeNormalised(database, normalised)
    await database.ownerPool.query('truncate recipients')
    limit.push(await copyOnce(database, normalised))
  }
  const [imported, copied] = [median(ours), median(limit)]
  console.log(
    `ours  ${imported.toFixed(2)} s  ${Math.round(totalRows / imported)} rows/s  [${ours.map((seconds) => seconds.toFixed(2)).join(' ')}]`,
  )
  console.log(
    `limit ${copied.toFixed(2)} s  COPY of the accepted rows  [${limit.map((seconds) => seconds.toFixed(2)).join(' ')}]`,
  )
  console.log(`memory ${Math.round(extraMemory)} MB above idle`)
  console.log(`ratio ${(copied / imported).toFixed(2)}`)
}

async function writePeople(path: string) {
  const file = createWriteStream(path)
  file.write('Name,Mobile,City,Amount,Note\n')
  const shapes = [
    (n: string) => n,
    (n: string) => `+91 ${n.slice(0, 5)} ${n.slice(5)}`,
    (n: string) => `0${n.slice(0, 5)}-${n.slice(5)}`,
    (n: string) => `0091${n}`,
  ]
  const duplicates = Math.round(totalRows * duplicateShare)
  const invalid = Math.round(totalRows * invalidShare)
  const distinct = totalRows - duplicates - invalid
  for (let row = 0; row < totalRows; row += 1) {
    const number = String(9_000_000_000 + (((row % distinct) * 2_654_435) % 999_999_937))
    const phone = row >= totalRows - invalid ? `12${row % 100}` : (shapes[row % 4]?.(number) ?? number)
    const line = `"Person ${row}, ""the ${row % 7}th""",${phone},City ${row % 500},${(row % 9000) + 0.5},"Due on the ${(row % 28) + 1}th"\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
}

type Setting = { database: Database; store: FileStore; temporaryDirectory: string; csv: string }
type Run = { audience: AudienceRow; seconds: number; extraMegabytes: number }

async function importOnce(setting: Setting, organization: { id: string; path: string }): Promise<Run> {
  const { database } = setting
  const id = await addAudience(setting, organization)
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let peak = idle
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const began = performance.now()
  await checkAudience(
    { ...setting, onSettled: async () => undefined },
    { organizationId: organization.id, audienceId: id, reading: 1 },
    new AbortController().signal,
  )
  const seconds = (performance.now() - began) / 1000
  clearInterval(sampler)
  const audience = await asSystem(database, (db) =>
    db.selectFrom('audiences').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return { audience, seconds, extraMegabytes: (peak - idle) / 1024 / 1024 }
}

async function addAudience(
  { database, store, csv }: Setting,
  organization: { id: string; path: string },
): Promise<string> {
  const upload = `${csv}.upload`
  await copyFile(csv, upload)
  const { size } = await stat(upload)
  return asSystem(database, async (db) => {
    const file = await saveUpload(db, store, {
      organizationId: organization.id,
      createdBy: organization.id,
      purpose: 'audience',
      mimeType: 'text/csv',
      upload: { fileName: 'people.csv', path: upload, sizeBytes: size, sha256: createHash('sha256').digest() },
    })
    const id = newId()
    await db
      .insertInto('audiences')
      .values({
        organization_id: organization.id,
        id,
        path: organization.path,
        status: 'reading',
        file_id: file.id,
        file_name: 'people.csv',
        format: 'csv',
        created_by: organization.id,
      })
      .execute()
    return id
  })
}

async function assertExact(database: Database, audience: AudienceRow) {
  const { rows } = await database.ownerPool.query<{ count: number; first: number; last: number }>(
    'select count(*) as count, min(seq) as first, max(seq) as last from recipients where audience_id = $1',
    [audience.id],
  )
  const invalid = Math.round(totalRows * invalidShare)
  const duplicate = Math.round(totalRows * duplicateShare)
  const expected = { status: 'ready', total: totalRows, invalid, duplicate, accepted: totalRows - invalid - duplicate }
  for (const [name, value] of Object.entries(expected)) {
    const found = audience[name as keyof typeof expected]
    if (found !== value) throw new Error(`${name} is ${found}, not ${value} (${audience.error ?? 'no error'})`)
  }
  if (rows[0]?.count !== audience.accepted || rows[0].last !== audience.accepted - 1)
    throw new Error('the recipients are not those that were counted')
}

/** The accepted rows in COPY's format, prepared in advance: the limit only loads them. */
async function writeNormalised(database: Database, path: string) {
  const file = createWriteStream(path)
  const pageSize = 10_000
  for (let from = 0; ; from += pageSize) {
    const { rows } = await database.ownerPool.query<{
      organization_id: string
      audience_id: string
      seq: number
      phone: number
      variables: string[]
    }>('select * from recipients where seq >= $1 and seq < $2 order by seq', [from, from + pageSize])
    for (const row of rows)
      file.write(`${row.organization_id}\t${row.audience_id}\t${row.seq}\t${row.phone}\t${copyArray(row.variables)}\n`)
    if (rows.length < pageSize) break
  }
  file.end()
  await once(file, 'close')
}

async function copyOnce(database: Database, path: string): Promise<number> {
  const client = await database.ownerPool.connect()
  try {
    const began = performance.now()
    await client.query('begin')
    await pipeline(
      Readable.from(createReadStream(path, { highWaterMark: 256 * 1024 })),
      client.query(copyFrom('copy recipients from stdin')),
    )
    await client.query('commit')
    return (performance.now() - began) / 1000
  } finally {
    client.release()
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
