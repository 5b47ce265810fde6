/**
 * BullMQ compared with the campaign of `dispatch`: one empty job per message, added in thousands before
 * the measurement, 200 concurrently, with Redis fsyncing like PostgreSQL. Ours renders, charges, counts and stores each message.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { people, sendCampaign } from '../dispatch.ts'
import { benchDatabase, contest, measure } from '../harness.ts'
import { freePort, isInstalled, start, stop, untilOpen } from './process.ts'

type Queue = {
  addBulk(jobs: { name: string; data: object }[]): Promise<unknown>
  obliterate(how: { force: boolean }): Promise<void>
  close(): Promise<void>
}
type Worker = { on(event: 'completed', listener: () => void): void; run(): Promise<void>; close(): Promise<void> }
type Library = {
  Queue: new (name: string, options: object) => Queue
  Worker: new (name: string, work: () => Promise<void>, options: object) => Worker
}

export async function benchBullmq(): Promise<void> {
  const library = findLibrary()
  if (!library || !isInstalled('redis-server')) {
    console.log(
      'bullmq: install redis-server, and bullmq and ioredis into any folder; then BULLMQ_DIR=that/folder npm run bench -- bullmq',
    )
    return
  }
  const directory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  const port = await freePort()
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const redis = start('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...durable])
  const bench = await benchDatabase()
  try {
    await untilOpen(port)
    await contest({
      name: 'bullmq',
      unit: 'messages',
      count: people,
      target: 1,
      against: 'BullMQ',
      database: bench.database,
      ours: () => sendCampaign(bench),
      limit: (round) => workOff(library, { port, name: `bench-${round}` }),
    })
  } finally {
    await stop(redis)
    await bench.drop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function findLibrary(): Library | undefined {
  const directory = process.env['BULLMQ_DIR']
  if (!directory) return undefined
  try {
    // The part of the library's API that is used here.
    return createRequire(join(directory, 'index.js'))('bullmq') as Library
  } catch {
    return undefined
  }
}

async function workOff(library: Library, { port, name }: { port: number; name: string }): Promise<number> {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null }
  const queue = new library.Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } })
  for (let added = 0; added < people; added += 1000)
    await queue.addBulk(
      Array.from({ length: 1000 }, (_, index) => ({ name: 'send', data: { to: 919_800_000_000 + added + index } })),
    )
  const worker = new library.Worker(name, async () => undefined, { connection, concurrency: 200, autorun: false })
  const seconds = await measure(
    () =>
      new Promise((resolve) => {
        let done = 0
        worker.on('completed', () => {
          done += 1
          if (done === people) resolve()
        })
        void worker.run()
      }),
  )
  await worker.close()
  await queue.obliterate({ force: true })
  await queue.close()
  return seconds
}
