import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

const installed = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Our own flags: the package's default list forces a single process, which loses pages. */
const flags = [
  '--no-sandbox',
  '--headless=new',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

/** A real browser: the one `CHROME_PATH` names, an installed one, or the Chromium that comes with the packages. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath =
    process.env['CHROME_PATH'] ?? installed.find((path) => existsSync(path)) ?? (await chromium.executablePath())
  return playwright.launch({ executablePath, args: flags, ignoreDefaultArgs: ['--headless'], headless: true })
}
