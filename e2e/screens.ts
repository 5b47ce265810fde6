/** Screenshots of every screen with the demo data: `node e2e/screens.ts DIRECTORY [NAME…]`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@carillon/server/demo/client'
import { demoPassword } from '@carillon/server/demo/cast'
import type { Browser } from 'playwright-core'
import { addApiKeys } from './support/api-key-screens.ts'
import { startReceiver } from './support/receiver.ts'
import { addReports } from './support/report-screens.ts'
import { addRequests } from './support/request-screens.ts'
import { addWebhooks } from './support/webhook-screens.ts'
import { launchBrowser, openVisit } from './support/browser.ts'
import { settle, shots, windows } from './support/screens.ts'
import type { Shot } from './support/shot.ts'
import { chooseTheme, takeSession } from './support/session-of.ts'

type Look = { theme: 'light' | 'dark'; window: (typeof windows)[number]; directory: string; url: string }

const [directory = 'screens', ...names] = process.argv.slice(2)
mkdirSync(directory, { recursive: true })
const browser = await launchBrowser()
const demo = await startDemo()
try {
  for (const shot of shots.filter(({ name }) => names.length === 0 || names.includes(name))) await takeAll(shot)
} finally {
  await browser.close()
  await demo.stop()
}

async function takeAll(shot: Shot) {
  for (const window of windows.filter(({ kind }) => kind !== shot.except)) {
    for (const theme of ['light', 'dark'] as const)
      await take(browser, shot, { theme, window, directory, url: demo.url })
  }
}

async function take(browser: Browser, shot: Shot, { theme, window, directory, url }: Look) {
  const { width, height, kind } = window
  const { page, context, problems } = await openVisit(browser, {
    baseURL: url,
    viewport: { width, height },
    hasTouch: kind === 'phone',
  })
  await chooseTheme(context, theme)
  if (shot.as) await takeSession(context, { url, username: shot.as })
  const file = `${shot.name}-${theme}-${width}.png`
  try {
    await page.goto(shot.path)
    await settle(page)
    await shot.act?.(page)
    await settle(page)
  } catch (error) {
    process.stdout.write(`${file}: ${String(error).split('\n')[0]}\n`)
  }
  await page.screenshot({ path: join(directory, file) })
  for (const problem of problems) process.stdout.write(`${file}: ${problem}\n`)
  await context.close()
}

/** The product as started by `npm start`, in its own directory, until the demo is complete. */
async function startDemo(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'carillon-screens-'))
  const port = await freePort()
  const receiver = await startReceiver()
  const product = spawn(process.execPath, [fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url))], {
    env: {
      ...process.env,
      DATA_DIR: dataDirectory,
      PORT: String(port),
      SIMULATOR_SMSC_PORT: '0',
      SIMULATOR_HTTP_PORT: '0',
      EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  process.once('exit', () => product.kill('SIGTERM'))
  process.once('SIGTERM', () => process.exit(143))
  process.once('SIGINT', () => process.exit(130))
  await until(() => isStoryComplete(url))
  await addApiKeys(url)
  await addWebhooks(url, receiver)
  await addRequests(url)
  await addReports(url)
  return {
    url,
    async stop() {
      product.kill('SIGTERM')
      await once(product, 'exit')
      await receiver.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** The draft is the demo's last record. */
async function isStoryComplete(url: string): Promise<boolean> {
  const manager = await createClient(url, { username: 'manager', password: demoPassword })
  const { campaigns } = await manager.call<{ campaigns: { campaignName: string }[] }>('smsCampaigns.list', {})
  return campaigns.some(({ campaignName }) => campaignName === 'Diwali early access')
}

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue().catch(() => false))) await new Promise((resume) => setTimeout(resume, 250))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
