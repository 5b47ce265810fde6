import { readFileSync } from 'node:fs'
import { launchBrowser, openVisit } from './support/browser.ts'
import { chooseTheme } from './support/session-of.ts'
import { openAs } from './support/sign-in.ts'
const { url } = JSON.parse(readFileSync('/tmp/dev.json', 'utf8'))
const [name, width, theme, who, ...acts] = process.argv.slice(2)
const browser = await launchBrowser()
const visit = await openVisit(browser, { baseURL: url, viewport: { width: Number(width), height: Number(width) < 500 ? 844 : 900 }, ...(Number(width) < 500 ? { hasTouch: true, isMobile: true } : {}) })
await chooseTheme(visit.context, theme as 'light')
const { page } = visit
const area = who === 'manager' ? '/organization' : who === 'user' ? '/user' : '/department-head'
await openAs(page, who!, `${area}/chats`).catch((e) => console.log('open', e.message))
await page.waitForTimeout(1200)
for (const act of acts) {
  try { await new (Object.getPrototypeOf(async () => {}).constructor)('page', act)(page) } catch (e) { console.log(act, (e as Error).message.slice(0, 400)) }
  await page.waitForTimeout(400)
}
await page.screenshot({ path: `/tmp/pic-${name}.png` })
console.log(visit.problems.slice(0, 8).join('\n').slice(0, 2500))
await browser.close()
