/**
 * A browser with an inbox of 100,000 conversations: it scrolls until all are loaded, then scrolls among them while 50 conversations
 * a second change. The limit is a bare page with as many rows of that height, scrolled in the same way.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, openVisit } from '../e2e/support/browser.ts'
import { storedSession } from '../e2e/support/session-of.ts'
import type { Database } from '../packages/server/src/db/pool.ts'
import { eventChannel } from '../packages/server/src/events/domain-events.ts'
import { buildSender, phoneOf } from '../packages/server/src/modules/messages/test-lane.ts'
import { buildManager, type Account } from '../packages/server/src/testing/builders.ts'
import { buildWebIfChanged } from '../tools/build-web.ts'
import { startServer } from './api.ts'
import { benchDatabase, machine } from './harness.ts'
import { percentile } from './open-loop.ts'

const chats = 100_000
const changes = { perSecond: 50, seconds: 15 }
const wanted = { frameMs: 16.7, taskMs: 50, megabytes: 150 }

type Frames = { frames: number[]; longTasks: number[] }

export async function benchWebInbox(): Promise<void> {
  buildWebIfChanged()
  const bench = await benchDatabase()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-bench-'))
  const browser = await launchBrowser()
  try {
    const manager = await seed(bench.database)
    const server = await startServer(bench.url, dataDirectory)
    try {
      console.log(`web-inbox: ${chats.toLocaleString('en')} conversations; ${machine()}`)
      const { page, context } = await openVisit(browser)
      await context.addInitScript((stored) => sessionStorage.setItem('carillon.session', stored), sessionOf(manager))
      await page.goto(`${server.url}/organization/chats`)
      await page.locator('[data-chat]').first().waitFor()
      const loading = await measureFrames(page, () => loadAll(page))
      print('while 100,000 rows are loaded', loading)
      const before = await measureFrames(page, () => scrollAround(page, changes.seconds))
      print('scrolled', before)
      const during = await measureFrames(page, async () => {
        await Promise.all([changeMany(bench.database, manager), scrollAround(page, changes.seconds)])
      })
      print(`scrolled while ${changes.perSecond} a second change`, during)
      const megabytes = await heapOf(page)
      const bare = await measureBare(browser)
      print('limit', bare)
      console.log(
        `memory ${megabytes.toFixed(0)} MB; wanted: p95 at most ${wanted.frameMs} ms, no task above ${wanted.taskMs} ms, at most ${wanted.megabytes} MB`,
      )
      console.log(`ratio ${(percentile(bare.frames, 0.95) / percentile(during.frames, 0.95)).toFixed(2)}`)
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
    }
  } finally {
    await browser.close()
    await bench.drop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

async function seed(database: Database): Promise<Account> {
  const manager = await buildManager(database)
  const senderId = await buildSender(database, manager)
  await database.ownerPool.query(
    `insert into conversations (organization_id, id, sender_id, channel, identity, unread, waiting_since, last_at, last_text)
    select $1::uuid, hashed_id($1::uuid || ':' || $2::uuid || ':' || phone), $2, 'sms', phone::text, seq % 3,
      case when seq % 3 > 0 then now() - seq * interval '1 second' end, now() - seq * interval '10 seconds', 'Is my order ' || seq || ' on its way?'
    from (select seq, ${phoneOf(0)} + seq as phone from generate_series(0, ${chats - 1}) seq) person`,
    [manager.organizationId, senderId],
  )
  await database.ownerPool.query(
    `insert into contact_identities (organization_id, channel, identity, phone, name, contact_id)
    select organization_id, channel, identity, identity::bigint, 'Person ' || identity, id from conversations`,
  )
  await database.ownerPool.query('vacuum analyze')
  return manager
}

function sessionOf({ token, role, ...account }: Account): string {
  return storedSession(account.username, {
    token,
    type: role,
    username: account.username,
    email: `${account.username}@acme.example`,
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    isFirstLogin: false,
  })
}

/** Frame times and tasks above 50 ms while `work` runs. */
async function measureFrames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const measured = { frames: [] as number[], longTasks: [] as number[], isRunning: true }
    Object.assign(window, { measured })
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) measured.longTasks.push(entry.duration)
    })
    observer.observe({ type: 'longtask' })
    let last = performance.now()
    const next = (now: number) => {
      measured.frames.push(now - last)
      last = now
      if (measured.isRunning) requestAnimationFrame(next)
      else observer.disconnect()
    }
    requestAnimationFrame(next)
  })
  await work()
  return page.evaluate(() => {
    const { measured } = window as unknown as { measured: Frames & { isRunning: boolean } }
    measured.isRunning = false
    return { frames: measured.frames.slice(1), longTasks: measured.longTasks }
  })
}

/** Scrolls to the end until no more rows are added. */
async function loadAll(page: Page): Promise<void> {
  await page.evaluate(async (count) => {
    const list = document.querySelector('ul[aria-label="Conversations"]')?.parentElement
    if (!list) throw new Error('There is no list')
    const deadline = performance.now() + 600_000
    while (list.scrollHeight < count * 64 - 1) {
      list.scrollTop = list.scrollHeight
      if (performance.now() > deadline) throw new Error(`Only ${list.scrollHeight / 64} rows were loaded`)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, chats)
}

/** A fling: a few hundred pixels each frame, back and forth. */
async function scrollAround(page: Page, seconds: number): Promise<void> {
  await page.evaluate(async (until) => {
    const list = document.querySelector('ul[aria-label="Conversations"]')?.parentElement
    if (!list) throw new Error('There is no list')
    const end = performance.now() + until
    let step = 240
    while (performance.now() < end) {
      const at = list.scrollTop
      list.scrollTop = at + step
      if (list.scrollTop === at) step = -step
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, seconds * 1000)
}

async function changeMany(database: Database, { organizationId }: Account): Promise<void> {
  for (let turn = 0; turn < changes.seconds * 10; turn += 1) {
    await database.ownerPool.query(
      `update conversations set last_at = clock_timestamp(), last_text = 'One more question', unread = unread + 1
      where organization_id = $1 and identity = any($2::text[])`,
      [
        organizationId,
        Array.from({ length: changes.perSecond / 10 }, (_, index) =>
          String(phoneOf(0) + ((turn * 7919 + index * 104_729) % chats)),
        ),
      ],
    )
    database.notifySoon(eventChannel)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1024 ** 2
}

/** Only the rows on screen exist, as plain elements that are moved. */
async function measureBare(browser: Awaited<ReturnType<typeof launchBrowser>>): Promise<Frames> {
  const { page } = await openVisit(browser)
  await page.setContent(`<div style="height: 800px; overflow-y: auto"><ul aria-label="Conversations"
    style="position: relative; margin: 0; height: ${chats * 64}px"></ul></div>`)
  await page.evaluate(() => {
    const list = document.querySelector('ul')
    const scroll = list?.parentElement
    if (!list || !scroll) return
    const rows = Array.from({ length: 24 }, () => list.appendChild(document.createElement('li')))
    scroll.addEventListener('scroll', () => {
      const first = Math.floor(scroll.scrollTop / 64)
      rows.forEach((row, index) => {
        row.style.cssText = `position: absolute; height: 64px; width: 320px; transform: translateY(${(first + index) * 64}px)`
        row.textContent = `Person ${first + index}: Is my order ${first + index} on its way?`
      })
    })
  })
  return measureFrames(page, () => scrollAround(page, changes.seconds))
}

function print(name: string, { frames, longTasks }: Frames): void {
  const ms = (share: number) => `${percentile(frames, share).toFixed(1)} ms`
  const longest =
    longTasks.length === 0 ? 'none' : `${longTasks.length}, longest ${Math.max(...longTasks).toFixed(0)} ms`
  console.log(`${name}: frames p50 ${ms(0.5)}  p95 ${ms(0.95)}  worst ${ms(1)}; tasks above 50 ms: ${longest}`)
}
