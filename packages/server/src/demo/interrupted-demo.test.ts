import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { runProgram, type Program } from '../testing/program.ts'
import { until } from '../testing/until.ts'

type Installation = { database: TestDatabase; directory: string }

const installations: Installation[] = []
const programs: Program[] = []
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()))
  for (const { database, directory } of installations.splice(0)) {
    await database.drop()
    rmSync(directory, { recursive: true, force: true })
  }
})

async function install(): Promise<Installation> {
  const installation = {
    database: await testDatabase(),
    directory: mkdtempSync(join(tmpdir(), 'carillon-demo-')),
  }
  installations.push(installation)
  return installation
}

function start({ database, directory }: Installation): Program {
  const program = runProgram({ DATABASE_URL: database.url, DATA_DIR: directory, DEMO: 'on' })
  programs.push(program)
  return program
}

async function list({ database }: Installation, query: string): Promise<string[]> {
  const { rows } = await database.database.ownerPool.query<{ name: string }>(query)
  return rows.map(({ name }) => name)
}

const lists = {
  campaigns: `select name from campaigns order by 1`,
  senders: `select channel || ' ' || name as name from senders order by 1`,
  templates: `select channel || ' ' || name || ' ' || language as name from templates order by 1`,
  families: 'select name from template_families order by 1',
  audiences: 'select file_name as name from audiences order by 1',
  bots: `select details ->> 'name' as name from rcs_bots order by 1`,
  ledger: `select kind || ' ' || amount as name from ledger_entries where kind in ('issue', 'transfer_in') order by 1`,
  topUps: 'select note as name from topup_requests order by 1',
}

async function contentsOf(installation: Installation): Promise<Record<string, string[]>> {
  const read = Object.entries(lists).map(async ([name, query]) => [name, await list(installation, query)])
  return Object.fromEntries(await Promise.all(read))
}

const hasCampaign = async (installation: Installation, name: string) =>
  (await list(installation, lists.campaigns)).includes(name)

async function isComplete(installation: Installation): Promise<boolean> {
  const query = `select key as name from system_state where key = 'demo_story' and value ? 'completedAt'`
  return (await list(installation, query)).length === 1
}

/** Starts the program, waits, and ends it; it may not print that the demo failed. */
async function runUntil(
  installation: Installation,
  isDone: () => Promise<boolean>,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  const program = start(installation)
  await until(isDone, 'the demo', 240_000).catch((error: unknown) => {
    throw new Error(`The program printed: ${program.output()}`, { cause: error })
  })
  await program.stop(signal)
  expect(program.output()).not.toContain('The demo')
  expect(program.output()).not.toContain('"level":50')
}

test('a demo that was stopped while it was created is completed by later starts', { timeout: 900_000 }, async () => {
  const interrupted = await install()
  await runUntil(interrupted, () => hasCampaign(interrupted, 'Loyalty points statement'))
  expect(await hasCampaign(interrupted, 'Kothrud store opening')).toBe(false)
  await runUntil(interrupted, () => hasCampaign(interrupted, 'Kothrud store opening'), 'SIGKILL')
  expect(await hasCampaign(interrupted, 'Orders on their way')).toBe(false)
  await runUntil(interrupted, () => hasCampaign(interrupted, 'Orders on their way'))
  expect(await isComplete(interrupted)).toBe(false)
  await runUntil(interrupted, () => isComplete(interrupted))

  const whole = await install()
  await runUntil(whole, () => isComplete(whole))
  expect(await contentsOf(interrupted)).toEqual(await contentsOf(whole))

  await runUntil(interrupted, async () => programs.at(-1)?.output().includes('Sign in as') === true)
  expect(await contentsOf(interrupted)).toEqual(await contentsOf(whole))
})
